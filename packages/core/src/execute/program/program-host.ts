import type { ChainStep } from "../../cards/index.ts";
import type { ResultEnvelope } from "../../envelope/index.ts";
import type { ProgramCall, ProgramHost, ProgramLimits, WaitingList } from "../../router/index.ts";
import { Call } from "../call/call.ts";
import type { CallRequest } from "../call/call.ts";
import { chainCalls } from "../chain/chain.ts";
import { executeCall } from "../execute-call.ts";
import { readerFor } from "../settings.ts";
import type { Settings } from "../settings.ts";
import type { ProgramRun } from "./program-run.ts";
import { reportProgram, reportReplayed } from "./report-program.ts";

/** The maximum number of steps in a chain. */
const MAX_STEPS = 100;

/** The approval of a program covers all writes on its list. */
function listSubject({ id, identity }: ProgramRun, list: WaitingList) {
  return { capability_id: id, params: { ...list }, caller: identity?.id };
}

function programRequest(
  { requestId, identity, depth, inherited }: ProgramRun,
  { key, approval, page }: ProgramCall,
  { signal, deadline, isDry }: ProgramLimits,
): CallRequest {
  return {
    ...inherited,
    identity,
    parentRequestId: requestId,
    signal,
    deadline,
    isDry,
    idempotencyKey: key,
    page,
    byList: approval,
    programDepth: depth,
  };
}

async function callTogether(
  settings: Settings,
  run: ProgramRun,
  calls: readonly ProgramCall[],
  limits: ProgramLimits,
): Promise<readonly ResultEnvelope[]> {
  const steps = calls.map(({ id, input, key }): ChainStep => ({
    task: id,
    // Marks the input as data, because it may look like a reference to another step.
    input: { $literal: input },
    ...(key !== undefined && { idempotency_key: key }),
  }));
  const { results, error } = await chainCalls(settings, {
    steps,
    identity: run.identity,
    onError: "continue",
    mergeWrites: true,
    isDry: limits.isDry === true,
    deadline: limits.deadline,
    signal: limits.signal,
    asked: (index) => programRequest(run, calls[index]!, limits),
  });
  if (error === null) return results;
  return calls.map(({ id }) => ({ ok: false, data: null, error, meta: { capability_id: id } }));
}

/** Lets other work in this process run. Calls of local functions alone would block it. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function callAll(
  settings: Settings,
  run: ProgramRun,
  calls: readonly ProgramCall[],
  limits: ProgramLimits,
): Promise<readonly ResultEnvelope[]> {
  const reader = readerFor(settings, "answer");
  // Calls with paging are not put into a chain, because paging is an option of a single call.
  if (calls.length === 1 || calls.some(({ page }) => page !== undefined)) {
    return Promise.all(
      calls.map((each) => {
        const request = programRequest(run, each, limits);
        return executeCall(
          settings,
          new Call(each.id, each.input, request, settings.calls, reader),
        );
      }),
    );
  }
  const results: ResultEnvelope[] = [];
  for (let from = 0; from < calls.length; from += MAX_STEPS) {
    if (from > 0) await breathe();
    const some = calls.slice(from, from + MAX_STEPS);
    results.push(...(await callTogether(settings, run, some, limits)));
  }
  return results;
}

/** The functions with which a program searches, calls and requests approvals. */
export function programHost(settings: Settings, run: ProgramRun): Omit<ProgramHost, "end"> {
  const { approvals, policy, show } = settings;
  return {
    ...settings.questions,
    call: (calls, limits) => callAll(settings, run, calls, limits),
    isPersonAsked: policy.approvals === "person",
    async ask(list, shown, before) {
      const asked = await approvals.request(listSubject(run, list), show(shown));
      if (before !== undefined && before !== asked.id) await approvals.withdraw(before);
      return asked;
    },
    claim: (list, approve) => approvals.claim(listSubject(run, list), { approve, key: list.key }),
    isDenied: (list) => approvals.isDenied(listSubject(run, list)),
    noteReplayed: (calls) => reportReplayed(settings, run, calls),
  };
}

/** The host of a program that is not saved. The program is reported when it ends. */
export function openProgram(
  settings: Settings,
  run: Omit<ProgramRun, "depth" | "inherited">,
  params: unknown,
): ProgramHost {
  const began = performance.now();
  return {
    ...programHost(settings, { ...run, depth: 1, inherited: {} }),
    end: (result) => reportProgram(settings, run, { params, result, began }),
  };
}
