import { fail } from "@waybill/core";
import type { ResultEnvelope } from "@waybill/core";
import type { ProgramCall, ProgramHost } from "@waybill/core/protocol";
import type { WriteRecord } from "../log/index.ts";
import type { GuestAnswer } from "../sandbox/index.ts";
import { findPaging, itemsOnPage, signatureText } from "../surface/index.ts";
import { waitingWrite } from "./approvals.ts";
import type { RunApprovals, WaitingWrite } from "./approvals.ts";
import type { Catalogue } from "./catalogue.ts";
import { isWrite, capabilityNotFound, toError } from "./prepared-call.ts";
import type { AnyCall, PreparedCall, Question } from "./prepared-call.ts";
import { ListRead, selectsPart } from "./read-list.ts";
import { splitSegments } from "./segments.ts";

/** The result of one call, and the write that it made, if any. */
export interface PerformedCall {
  readonly answer: GuestAnswer;
  readonly write?: WriteRecord;
  /** Whether the journal already had this write. */
  readonly isReplayed?: boolean;
}

/** The state that the calls of a run share. */
export interface Performance {
  readonly host: ProgramHost;
  /** Makes calls within the limits of the run. */
  call(calls: readonly ProgramCall[], isDry?: boolean): Promise<readonly ResultEnvelope[]>;
  readonly catalogue: Catalogue;
  readonly approvals: RunApprovals;
  readonly maxItems: number;
  readonly isDry: boolean;
  /** Answers of writes that an earlier run applied. A dry run does not list them. */
  readonly applied: ReadonlyMap<number, GuestAnswer>;
  /** The idempotency key of the next write; undefined if there is no log. */
  nextKey(): string | undefined;
  warn(text: string): void;
}

function readOutcome(result: ResultEnvelope): WriteRecord["outcome"] {
  if (result.ok) return "applied";
  const outcome = result.error.details?.["outcome"];
  return outcome === "applied" || outcome === "not_applied" ? outcome : "unknown";
}

function dataAnswer(call: PreparedCall, { data, meta }: ResultEnvelope): GuestAnswer {
  const { n, spec, form } = call;
  const { id } = spec;
  if (form !== "page") return { n, id, form: "data", data };
  const items = itemsOnPage(spec, data);
  if (items === undefined) return errorAnswer(n, id, toError(noList(id)));
  const cursor = meta.pagination?.has_next_page === true ? meta.pagination.end_cursor : null;
  return { n, id, form: "page", data: { items, cursor: cursor ?? null } };
}

function noList(id: string): Error {
  const message = `The answer of ${id} has no list that can be recognised. Call ${id}(…) to get all of it.`;
  return fail("VALIDATION", message, { outcome: "not_applied" });
}

function errorAnswer(n: number, id: string, error: ReturnType<typeof toError>): GuestAnswer {
  const { code, message, retryable, details } = error;
  const outcome = details?.["outcome"];
  return {
    n,
    id,
    error: { code, message, retryable, details, ...(outcome !== undefined && { outcome }) },
  };
}

function toAnswer(call: PreparedCall, result: ResultEnvelope): GuestAnswer {
  const { n, spec, form } = call;
  if (form === "result") {
    return { n, id: spec.id, form: "result", data: result };
  }
  return result.ok ? dataAnswer(call, result) : errorAnswer(n, spec.id, result.error);
}

/** Makes the calls of one turn, in the order of the program. */
export async function performCalls(
  calls: readonly AnyCall[],
  run: Performance,
): Promise<PerformedCall[]> {
  const done = new Map<number, PerformedCall>();
  const questions = calls.filter(
    (call): call is Question => call.kind === "search" || call.kind === "signature",
  );
  await Promise.all(
    questions.map(async (question) => {
      done.set(question.n, { answer: await answerQuestion(question, run) });
    }),
  );
  for (const segment of splitSegments(calls.filter((call) => call.kind === "call"))) {
    for (const [n, performed] of await performSegment(segment, run)) done.set(n, performed);
  }
  return calls.map((call) => {
    if (call.kind === "refused") return { answer: errorAnswer(call.n, call.id, call.error) };
    return done.get(call.n)!;
  });
}

function noWords(kind: Question["kind"]): Error {
  const usual = kind === "search" ? "label an issue" : "issue.list";
  const message = `waybill.${kind} needs a string, such as waybill.${kind}("${usual}")`;
  return fail("VALIDATION", message, { outcome: "not_applied" });
}

async function answerQuestion(
  { kind, n, words }: Question,
  { host, catalogue }: Performance,
): Promise<GuestAnswer> {
  const id = `waybill.${kind}`;
  try {
    if (words.trim() === "") throw noWords(kind);
    if (kind === "search") {
      return { n, id, form: "data", data: await host.search(words) };
    }
    await catalogue.learn([words]);
    const spec = catalogue.find(words)?.spec;
    if (spec === undefined) throw await capabilityNotFound(words, catalogue);
    return { n, id, form: "data", data: signatureText(spec) };
  } catch (thrown) {
    return errorAnswer(n, id, toError(thrown));
  }
}

type Done = readonly (readonly [number, PerformedCall])[];

async function performSegment(calls: readonly PreparedCall[], run: Performance): Promise<Done> {
  if (run.approvals.isCollecting) {
    const reads = calls.filter((call) => !isWrite(call));
    const writes = calls.filter(isWrite);
    return [...(await performLive(reads, run)), ...(await collect(writes, run))];
  }
  return performLive(calls, run);
}

/**
 * Requests the first page of each list together with all other calls, and the other pages
 * afterwards.
 */
async function performLive(calls: readonly PreparedCall[], run: Performance): Promise<Done> {
  if (calls.length === 0) return [];
  const lists = new Map<number, ListRead>();
  const plain = calls.map((call): ProgramCall => {
    const { spec, input, form } = call;
    if (form === "list") {
      const list = new ListRead(spec, input, run.maxItems);
      lists.set(call.n, list);
      return list.next();
    }
    const page = call.page as ProgramCall["page"];
    if (!isWrite(call)) return { id: spec.id, input, ...(page !== undefined && { page }) };
    return { id: spec.id, input, key: run.nextKey(), approval: run.approvals.take(call) };
  });
  const results = await run.call(plain);
  calls.forEach(({ n }, index) => lists.get(n)?.take(results[index]!));
  await readOn([...lists.values()], run);
  return calls.map((call, index) => {
    const list = lists.get(call.n);
    const performed =
      list === undefined ? performedCall(call, results[index]!, run) : listAnswer(call, list, run);
    return [call.n, performed] as const;
  });
}

async function readOn(lists: readonly ListRead[], run: Performance): Promise<void> {
  for (;;) {
    const open = lists.filter(({ isDone }) => !isDone);
    if (open.length === 0) return;
    const results = await run.call(open.map((list) => list.next()));
    open.forEach((list, index) => list.take(results[index]!));
  }
}

function listAnswer(call: PreparedCall, list: ListRead, run: Performance): PerformedCall {
  const { n, spec } = call;
  const { failure } = list;
  if (failure !== undefined && !failure.ok) {
    return { answer: errorAnswer(n, spec.id, failure.error) };
  }
  const data = list.items;
  if (list.isCut) {
    run.warn(`${spec.id}: the first ${data.length} items were read, and there are more`);
  }
  return { answer: { n, id: spec.id, form: "list", data, extras: list.extras } };
}

/** Whether a program gets the first page of a list without asking for a page. */
function isPartial({ form, spec, input }: PreparedCall, { meta }: ResultEnvelope): boolean {
  const hasMore = meta.pagination?.has_next_page === true;
  return form === "data" && hasMore && findPaging(spec) !== undefined && !selectsPart(input);
}

function performedCall(
  call: PreparedCall,
  result: ResultEnvelope,
  run: Performance,
): PerformedCall {
  const { spec, input } = call;
  if (!isWrite(call)) {
    if (isPartial(call, result))
      run.warn(
        `${spec.id}: this is one page, and there are more. Read them with ${spec.id}.page({ cursor }).`,
      );
    return { answer: toAnswer(call, result) };
  }
  const waiting = waitingWrite(call, result);
  if (waiting !== undefined) return waits(call, waiting, run.approvals);
  const write = { id: spec.id, input, outcome: readOutcome(result) };
  const isReplayed = result.meta.replayed === true;
  return { answer: toAnswer(call, result), write, ...(isReplayed && { isReplayed }) };
}

function waits({ n, spec }: PreparedCall, write: WaitingWrite, approvals: RunApprovals) {
  approvals.wait(write);
  return { answer: { n, id: spec.id, pending: true } as const };
}

/** Collects writes without sending them. Invalid writes fail; the others wait. */
async function collect(calls: readonly PreparedCall[], run: Performance): Promise<Done> {
  // Every write uses one key, even if it is not sent again, so that later writes keep their keys.
  const keyed = calls.map((call) => ({ call, key: run.nextKey() }));
  const left = keyed.filter(({ call }) => !run.applied.has(call.n));
  const told = calls.flatMap(({ n }) => {
    const answer = run.applied.get(n);
    return answer === undefined ? [] : [[n, { answer }] as const];
  });
  if (left.length === 0) return told;
  const plain = left.map(({ call: { spec, input }, key }): ProgramCall => {
    return { id: spec.id, input, key, ...(!run.isDry && { approval: { state: "collects" } }) };
  });
  const results = await run.call(plain, true);
  const collected = left.map(({ call }, index) => collectedCall(call, results[index]!, run));
  return [...told, ...collected];
}

function collectedCall(
  call: PreparedCall,
  result: ResultEnvelope,
  { approvals }: Performance,
): Done[number] {
  const waiting = waitingWrite(call, result);
  if (!result.ok && waiting === undefined) return [call.n, { answer: toAnswer(call, result) }];
  const { spec, input } = call;
  return [call.n, waits(call, waiting ?? { id: spec.id, input }, approvals)];
}
