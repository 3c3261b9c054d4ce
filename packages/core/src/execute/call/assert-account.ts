import { fail } from "../../envelope/index.ts";
import type { CallMetadata } from "../../operation/index.ts";
import type { Entry } from "../../registry/index.ts";
import { knownRun } from "../../router/index.ts";
import type { SourceAccounts } from "../../router/index.ts";
import { nearestNames } from "../../schema/index.ts";

type Caller = Pick<CallMetadata, "identity" | "account">;

function withoutAccounts(id: string): Error {
  return fail("VALIDATION", `${id} cannot be called with an account`, {
    outcome: "not_applied",
    issues: [{ path: "/account", message: "must be left out" }],
    hint: "Leave out the account",
  });
}

async function assertKnown(
  id: string,
  accounts: SourceAccounts,
  { identity, account = "" }: Caller,
): Promise<void> {
  const allowed = await accounts.list(identity);
  if (allowed.includes(account)) return;
  const whose = identity === undefined ? "There is" : `${identity.id || "This caller"} has`;
  const known = allowed.length === 0 ? "none is connected" : `known: ${allowed.join(", ")}`;
  const message = `${whose} no account ${JSON.stringify(account)} for ${id}; ${known}`;
  const [did_you_mean] = nearestNames(account, allowed, 1);
  const near = did_you_mean === undefined ? {} : { did_you_mean };
  throw fail("VALIDATION", message, {
    outcome: "not_applied",
    issues: [{ path: "/account", message: "is not connected", allowed, ...near }],
    hint: accounts.connectHint(identity, account),
  });
}

/**
 * Refuses a call that another account than the requested one would send. Functions and steps
 * pass the account on to the calls that they make.
 */
export async function assertAccount({ id, run }: Entry, caller: Caller): Promise<void> {
  const known = run && knownRun(run);
  if (caller.account === undefined || known === undefined) return;
  if (known.kind === "local" || known.kind === "steps") return;
  if (known.kind === "code" || known.accounts === undefined) throw withoutAccounts(id);
  await assertKnown(id, known.accounts, caller);
}
