import { fail } from "@waybill/core";
import type { ResultEnvelope } from "@waybill/core";
import type { ProgramHost, WaitingList } from "@waybill/core/protocol";
import {
  failedAnswer,
  listedAnswer,
  personAnswer,
  waitingAnswer,
  waitingSummary,
  withWaitingHandle,
} from "./answer.ts";
import type { RunSummary } from "./answer.ts";
import { RunApprovals } from "./approvals.ts";
import { hashJson } from "./hash-json.ts";
import { toError } from "./prepared-call.ts";
import { collectsAll } from "./run-parts.ts";
import type { RunParts } from "./run-parts.ts";

const MAX_PROGRAM = 1_000;

/** The approval of a list, claimed until the run ends. */
type Claim = NonNullable<Awaited<ReturnType<ProgramHost["claim"]>>>;

function waitingList(writes: readonly string[], { kept }: RunParts): WaitingList {
  return { key: kept.key, digest: hashJson(writes) };
}

/** Claims the approval of the list that the run waits for, if there is one. */
export async function claimApproval(
  parts: RunParts,
): Promise<{ readonly approvals: RunApprovals; readonly claim?: Claim }> {
  const { kept, host, options } = parts;
  const { waiting } = kept;
  const isCollecting = collectsAll(parts);
  const none = { approvals: new RunApprovals(isCollecting, []) };
  if (waiting === undefined || kept.hasEnded || isCollecting) return none;
  const { writes, request } = waiting;
  // If only a person may approve, an approval text that an agent got under another policy is
  // invalid.
  const isText = options.approve !== undefined && !host.isPersonAsked;
  const text = isText ? request?.approve : undefined;
  const claim = await host.claim(waitingList(writes, parts), text);
  if (claim !== undefined) return { approvals: new RunApprovals(false, kept.listed), claim };
  if (text !== undefined) throw usedApproval(await host.isDenied(waitingList(writes, parts)));
  return none;
}

/** Requests an approval for the list of a run, and returns the answer that says so. */
export async function askForApproval(
  approvals: RunApprovals,
  summary: RunSummary,
  parts: RunParts,
): Promise<ResultEnvelope> {
  const { kept, host, stores } = parts;
  const { waiting } = summary;
  if (!kept.isKept) {
    const message = "The program makes calls that need an approval, but runs are not stored here";
    const hint = "Pass a log to the runner";
    return failedAnswer(toError(fail("POLICY", message, { hint })), summary);
  }
  const list = waitingList(approvals.kept, parts);
  const { unfinished } = summary;
  const program = shortProgram(kept.program);
  const shown = { waiting: waitingSummary(waiting), unfinished, program };
  const request = await host.ask(list, shown, kept.waiting?.request?.id);
  const approve = await kept.ask(approvals.kept, request);
  const facts = { ...summary, isDenied: request?.isDenied };
  const answer = askingAnswer({ list, id: request?.id, approve }, facts, host);
  return withWaitingHandle(answer, waiting, stores.handles);
}

/**
 * Shortens the program for the request. A person sees at most 2,000 characters, and the list is
 * more important.
 */
function shortProgram(program: string): string {
  return program.length > MAX_PROGRAM ? `${program.slice(0, MAX_PROGRAM)}…` : program;
}

function askingAnswer(
  { list, id, approve }: { list: WaitingList; id: string | undefined; approve: string },
  summary: RunSummary,
  { isPersonAsked }: ProgramHost,
): ResultEnvelope {
  if (id === undefined) return listedAnswer(list.digest, summary);
  return isPersonAsked ? personAnswer(id, summary) : waitingAnswer(approve, id, summary);
}

function usedApproval(isDenied: boolean): Error {
  const message = isDenied
    ? "A person denied this list of calls"
    : "The approval was used, or is older than 24 hours";
  const again = "Run the program again to get the current list";
  const hint = isDenied
    ? `Do not repeat it unless a person has asked for it since. ${again}`
    : again;
  return fail("POLICY", message, { outcome: "not_applied", hint });
}
