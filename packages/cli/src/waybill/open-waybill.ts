import { join } from "node:path";
import { createHttpTransport } from "@waybill/adapters/http";
import { createRedactor, createWaybill, isCallError } from "@waybill/core";
import type { HandleStore, Source, SourceProblem, Waybill, WaybillOptions } from "@waybill/core";
import { jsonlLog, loadConfig, openHandleStore, openJournal } from "@waybill/local";
import type { EffectiveConfig, JsonlLog, SourceConfig } from "@waybill/local";
import { note, warn } from "../io.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import { stateApprover } from "./approver.ts";
import { openSource, openSources } from "./gather-sources.ts";
import { keptTexts } from "./kept-texts.ts";
import { Secrets } from "./sources/secrets.ts";
import type { Surroundings } from "./sources/surroundings.ts";

type Kept = Required<Pick<WaybillOptions, "journal" | "handles" | "approver">>;

/** A file that cannot be understood is a mistake of the same kind as a flag that cannot be. */
export async function orUsageError<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw isCallError(error) ? new UsageError(error.message, error.details) : error;
  }
}

/** What stands in the state folder is opened by the first call that needs it. */
function keptIn({ state }: EffectiveConfig): Kept {
  return {
    journal: openJournal({ path: join(state, "journal.db") }),
    handles: keptTexts(openHandleStore({ path: join(state, "results") })),
    approver: stateApprover(state),
  };
}

function sentence({ source, operationId, message }: SourceProblem): string {
  const which = operationId === "" || message.startsWith(operationId) ? "" : `${operationId}: `;
  return `source ${source}: ${which}${message}`;
}

/** Standard output carries the answer, so the page to sign in at is told beside it. */
function signInBy(io: Io): (page: URL) => Promise<void> {
  return (page) => note(io, `waybill: sign in with a browser at ${page.href}`);
}

/** What every source is opened with here. */
function surroundingsOf(
  io: Io,
  { state }: EffectiveConfig,
  handles: HandleStore,
): Surroundings & { close(): void } {
  const { env, cwd } = io;
  const transport = createHttpTransport();
  const secrets = new Secrets(env);
  const signIn = signInBy(io);
  return { env, cwd, transport, handles, state, secrets, signIn, close: () => transport.close() };
}

type Open = (name: string, config: SourceConfig) => Promise<Source>;

/** Runs something that opens sources by itself. */
export async function withSurroundings<T>(
  io: Io,
  config: EffectiveConfig,
  use: (open: Open) => Promise<T>,
): Promise<T> {
  const around = surroundingsOf(io, config, keptIn(config).handles);
  try {
    return await use((name, source) => openSource(name, source, around));
  } finally {
    around.close();
  }
}

/** The calls of a server, without secrets, in a file of their own beside the journal. */
function historyIn({ state }: EffectiveConfig, secrets: Secrets): JsonlLog {
  const redactor = createRedactor(() => secrets.known);
  return jsonlLog({ path: join(state, "calls.jsonl"), redact: (value) => redactor.value(value) });
}

/**
 * Runs something with the Waybill that is configured where the command was called. With `ids` only
 * the sources are opened that may have them; a server's calls are recorded.
 */
export async function withWaybill<T>(
  io: Io,
  use: (waybill: Waybill) => Promise<T>,
  ids?: readonly string[],
  isRecorded = false,
): Promise<T> {
  const config = await orUsageError(loadConfig(io));
  await warn(io, config.warnings);
  const kept = keptIn(config);
  const around = surroundingsOf(io, config, kept.handles);
  const history = isRecorded ? historyIn(config, around.secrets) : undefined;
  const waybill = createWaybill({
    sources: await openSources(config, around, ids),
    policy: config.policy,
    secrets: () => around.secrets.known,
    observer: {
      ...(history !== undefined && { onCall: (record) => history.onCall(record) }),
      onProblem: (problem) => void warn(io, [sentence(problem)]),
    },
    ...kept,
  });
  try {
    return await use(waybill);
  } finally {
    around.close();
    await waybill.close();
    await history?.flush();
  }
}
