import type { Identity } from "@waybill/core";

const NAME = /^[\w.@:|+/-]{1,200}$/u;
/**
 * Separates the caller from the account. Names cannot contain this character, so no caller can name
 * an account of another caller.
 */
const SEPARATOR = "~";

/**
 * Whether this is a valid account name: `work`, or `corp:ada~work` for an additional account of the
 * caller `corp:ada`.
 */
export function isAccountName(account: string): boolean {
  const parts = account.split(SEPARATOR);
  return parts.length <= 2 && parts.every((part) => NAME.test(part));
}

/** Whether a name is that of an additional account of one caller, which no other caller may use. */
export function isCallersOwn(account: string): boolean {
  return account.includes(SEPARATOR);
}

/**
 * The name under which an account is stored. The first account of a caller has the caller's id as
 * its name. Additional accounts start with that id, so they belong to that caller only. Undefined
 * if the caller's id cannot be part of a name.
 */
export function connectedName(
  identity: Identity | undefined,
  account: string | undefined,
): string | undefined {
  if (identity === undefined) return account;
  const { id } = identity;
  if (!NAME.test(id)) return undefined;
  return account === undefined || account === id ? id : `${id}${SEPARATOR}${account}`;
}

/** The connected accounts that a caller may use, under the names that a call uses. */
export function accountsFor(
  identity: Identity | undefined,
  connected: readonly string[],
): readonly string[] {
  if (identity === undefined) return connected;
  const { id } = identity;
  const prefix = `${id}${SEPARATOR}`;
  return connected.flatMap((account) => {
    if (!NAME.test(id)) return [];
    if (account === id) return [id];
    return account.startsWith(prefix) ? [account.slice(prefix.length)] : [];
  });
}
