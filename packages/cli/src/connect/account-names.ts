import type { Identity } from "@waybill/core";

const NAME = /^[\w.@:|+/-]{1,200}$/u;
/** Not part of a name, so that nobody's account can be taken for one of somebody else's. */
const SEPARATOR = "~";

/** `work`, or `corp:ada~work` for a further account of a caller. */
export function isAccountName(account: string): boolean {
  const parts = account.split(SEPARATOR);
  return parts.length <= 2 && parts.every((part) => NAME.test(part));
}

/** Whether it is a further account of a caller, which nobody else uses without being asked to. */
export function isCallersOwn(account: string): boolean {
  return account.includes(SEPARATOR);
}

/**
 * The name under which an account is connected. A caller's first account is called as the caller,
 * and every other name belongs to that caller alone. Undefined for a caller who can have none.
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

/** The connected accounts that a caller may use, as a call names them. */
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
