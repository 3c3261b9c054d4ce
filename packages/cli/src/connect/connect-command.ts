/** Quotes the account, because a shell would read `|` as a pipe. */
function quotedAccount(account: string): string {
  return account.includes("|") ? `'${account}'` : account;
}

/** The command that signs in to a source. */
export function connectCommand(name: string, account?: string): string {
  return account === undefined
    ? `waybill connect ${name}`
    : `waybill connect ${name} --account ${quotedAccount(account)}`;
}
