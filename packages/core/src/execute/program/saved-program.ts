import { fail, isRecord, localEnvelope } from "../../envelope/index.ts";
import type { ResultEnvelope } from "../../envelope/index.ts";
import { toEnvelope } from "../../registry/index.ts";
import type { CodeOperation, ProgramHost, ProgramRunner } from "../../router/index.ts";
import { Call } from "../call/call.ts";
import type { CallRequest } from "../call/call.ts";
import { assertParts, listParts } from "../chain/check-parts.ts";
import type { ProgramsRunner, Settings } from "../settings.ts";
import { programHost } from "./program-host.ts";

const NOTHING = (): void => {};

/** Members that the calls of a saved program take over from the program's own call. */
function inheritedRequest(call: Call): CallRequest {
  const { readsOnly, trace, request } = call;
  // If the call of the program was approved, the calls that it makes are approved too.
  return { readsOnly, trace, approvedFor: request.approvedFor };
}

/** How deeply programs are nested around a call. Steps and functions may be in between. */
function programDepth(call: Call): number {
  let at: Call = call;
  while (at.request.programDepth === undefined && at.request.parent instanceof Call) {
    at = at.request.parent;
  }
  return at.request.programDepth ?? 0;
}

/** The host of a saved program. The call of the program is reported like any other call. */
function savedHost(settings: Settings, call: Call, { spec }: CodeOperation): ProgramHost {
  const { identity, requestId, request } = call;
  const host = programHost(settings, {
    id: spec.id,
    requestId,
    identity,
    depth: programDepth(call) + 1,
    inherited: inheritedRequest(call),
  });
  const { byList } = request;
  if (byList === undefined) return { ...host, end: NOTHING };
  return {
    ...host,
    end: NOTHING,
    ask: async () => undefined,
    claim: async ({ digest }) => {
      const isApproved = byList.state === "approved" && byList.list === digest;
      return isApproved ? { settle: async () => {} } : undefined;
    },
  };
}

function findRunner({ runner, spec }: CodeOperation): ProgramRunner {
  if (runner !== undefined) return runner;
  throw fail("ADAPTER_UNSUPPORTED", `${spec.id} is a program, and programs cannot be run here`, {
    outcome: "not_applied",
    hint: "Pass savedPrograms() of @waybill/code as programs to cardOperation",
  });
}

async function runProgram(
  settings: Settings,
  call: Call,
  saved: CodeOperation,
): Promise<ResultEnvelope> {
  const { request, identity, deadline, input, idempotencyKey } = call;
  const runner = findRunner(saved);
  await assertParts(settings, saved, identity);
  const isCollecting = request.byList?.state === "collects";
  const result = await runner.run({
    program: saved.program,
    calls: listParts(settings.registry, saved),
    input,
    host: savedHost(settings, call, saved),
    caller: identity?.id ?? "",
    depth: programDepth(call),
    key: idempotencyKey,
    approve: request.approve,
    isDry: request.isDry === true && !isCollecting,
    isCollecting,
    deadline,
    signal: call.signal,
  });
  if (result.ok) return result;
  const { code, message, details } = result.error;
  throw fail(code, `${saved.spec.id}: ${message}`, details);
}

function member(result: ResultEnvelope, name: string): unknown {
  return isRecord(result.data) ? result.data[name] : undefined;
}

function listWarnings(result: ResultEnvelope): string[] {
  const logs = member(result, "logs");
  const said = Array.isArray(logs) ? logs.map((line) => `log: ${String(line)}`) : [];
  return [...(result.meta.warnings ?? []), ...said];
}

/** Runs a saved program and answers with its return value. */
async function runSaved(settings: Settings, call: Call, saved: CodeOperation): Promise<void> {
  const result = await runProgram(settings, call, saved);
  const warnings = listWarnings(result);
  const { data, meta } = localEnvelope(member(result, "value") ?? null, saved.spec.id);
  const response = { data, meta: warnings.length === 0 ? meta : { ...meta, warnings } };
  call.response = toEnvelope(call.spec!, call.schemas!, response);
}

/** The writes that a saved program would make, by capability. */
async function describeSaved(
  settings: Settings,
  call: Call,
  saved: CodeOperation,
): Promise<readonly object[]> {
  const waiting = member(await runProgram(settings, call, saved), "waiting");
  return Array.isArray(waiting) ? (waiting as object[]) : [];
}

/** Runs operations that are saved programs. */
export const programsRunner: ProgramsRunner = { run: runSaved, describe: describeSaved };
