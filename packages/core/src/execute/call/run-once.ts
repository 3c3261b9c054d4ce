import { fail, withWarnings } from "../../envelope/index.ts";
import type { OperationSpec } from "../../operation/index.ts";
import { claimApproval, needsApproval } from "../../policy/index.ts";
import { inputDigest, knownRun, resultOutcome, runKeyed } from "../../router/index.ts";
import type { JournalKey, SendHooks } from "../../router/index.ts";
import { answer } from "../answer/answer.ts";
import type { Settings } from "../settings.ts";
import type { Call } from "./call.ts";
import { probeAgain } from "./probe-again.ts";

/** Makes the call and reports to the hooks what is sent. Never throws. */
type Perform = (hooks: SendHooks) => Promise<void>;

const NO_HOOKS: SendHooks = { beforeSend: async () => {}, onAgain: async () => {} };

/**
 * Whether the answer warns about a broken journal. Only answers of writes do, and only if the
 * journal can break.
 */
export function isJournalTold({ journal }: Settings, { effect }: OperationSpec): boolean {
  return effect !== "read" && journal?.check !== undefined;
}

/** Whether the call is part of an outer call that was approved as a whole. */
function isPart({ request }: Call): boolean {
  return request.approvedFor !== undefined;
}

/** The error by which a program adds the call to its list of writes to approve. */
function waitsFor({ id }: OperationSpec): Error {
  return fail("POLICY", `${id} needs an approval`, { outcome: "not_applied", waits: true });
}

/**
 * Runs a call that may need an approval. The approval is used up, except if nothing was applied.
 * Never throws.
 */
async function runApproved(
  settings: Settings,
  call: Call,
  hooks: SendHooks,
  perform: Perform,
): Promise<void> {
  const spec = call.spec!;
  if (isPart(call) || !needsApproval(settings.policy, spec)) return perform(hooks);
  const { byList } = call.request;
  if (byList?.state === "approved") return perform(hooks);
  const { input: params, idempotencyKey: key } = call;
  const { approve } = call.request;
  try {
    if (byList !== undefined) throw waitsFor(spec);
    const { account } = call;
    const caller = call.identity?.id;
    const claim = await claimApproval(settings, { spec, params, caller, account, approve, key });
    await perform(hooks);
    call.result = answer(settings, call);
    // If the approval cannot be given back, it is lost, which is safe.
    await claim.settle(resultOutcome(call.result)).catch(() => {});
  } catch (thrown) {
    call.fail(thrown);
  }
}

function upstreamHost({ entry }: Call): string {
  const run = entry?.run && knownRun(entry.run);
  return run?.kind === "routed" || run?.kind === "steps" ? run.host : "";
}

/** The account is part of the key, because the same input is another write with another account. */
function writeDigest({ input, account }: Call): Promise<string> {
  return inputDigest(account === undefined ? input : { account, input });
}

/** The key under which the journal records a write. */
export async function journalKey(call: Call): Promise<JournalKey> {
  const { identity, idempotencyKey: key = "", operationId: capability } = call;
  const digest = await writeDigest(call);
  return { key, identity: identity?.id ?? "", host: upstreamHost(call), capability, digest };
}

/**
 * The call's own signal and deadline limit the wait for another call with this key. A recorded
 * result needs no approval, so an approval is requested only if the call is really made.
 */
async function runWithKey(settings: Settings, call: Call, perform: Perform): Promise<void> {
  const { journal } = settings;
  if (journal === undefined) {
    throw fail(
      "ADAPTER_UNSUPPORTED",
      "There is no journal here, so an idempotency key has no effect",
      {
        outcome: "not_applied",
        hint: "Configure a journal, or leave out the idempotency key",
      },
    );
  }
  const { signal, requestId } = call;
  call.result = await runKeyed({
    journal,
    key: await journalKey(call),
    requestId,
    signal,
    run: async (hooks) => {
      await runApproved(settings, call, hooks, perform);
      return answer(settings, call);
    },
    probe: (trail) => probeAgain(settings, call, trail),
  });
}

/**
 * A write without a key does not need the journal, so a broken journal only adds a warning. The
 * journal is checked while the write runs. For a step, the outer call adds the warning.
 */
async function runWithoutKey(settings: Settings, call: Call, perform: Perform): Promise<void> {
  const { journal, redactor } = settings;
  const running = runApproved(settings, call, NO_HOOKS, perform);
  if (isPart(call) || !isJournalTold(settings, call.spec!)) return running;
  await Promise.all([running, journal?.check?.()]);
  const problem = journal?.problem;
  if (problem === undefined) return;
  const warning = `${problem}; this call was made, because it has no key. A call with a key would be refused`;
  call.result = withWarnings(answer(settings, call), [redactor.text(warning)]);
}

/** A saved program has its own log, and its writes have their own keys and approvals. */
function isProgram({ entry }: Call): boolean {
  return entry?.run?.kind === "code";
}

/** Whether the upstream keeps idempotency keys itself, such as workers with a shared journal. */
export function isKeyKeptUpstream({ entry }: Call): boolean {
  const run = entry?.run && knownRun(entry.run);
  return run?.kind === "routed" && run.honoursKeys;
}

/** Whether the call is a write with an idempotency key. */
export function isKeyed(call: Call): boolean {
  return !isProgram(call) && call.idempotencyKey !== undefined && call.spec!.effect !== "read";
}

/**
 * Makes a call at most once per key: first the journal, then the approval, then the call itself.
 */
export function runOnce(settings: Settings, call: Call, perform: Perform): Promise<void> {
  if (isProgram(call)) return perform(NO_HOOKS);
  const isRefused = settings.isJournalNeeded && !isKeyKeptUpstream(call);
  return isKeyed(call) && (isRefused || settings.journal !== undefined)
    ? runWithKey(settings, call, perform)
    : runWithoutKey(settings, call, perform);
}
