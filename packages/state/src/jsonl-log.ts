import { toJson } from "@waybill/core/schema";
import type { CallRecord, Observer, ResultError, SourceProblem } from "@waybill/core";
import { stateFiles } from "./files/index.ts";
import { LineFile } from "./line-file.ts";

export interface JsonlLogOptions {
  /** Removes every secret from a value. If it throws, the value is not written. */
  readonly redact: (value: unknown) => unknown;
  /** The file (default: `calls.jsonl` in the user's state folder). */
  readonly path?: string;
  /**
   * If the file is larger than this, it is renamed to `<path>.1` and replaces the earlier one
   * (default: 10 MB).
   */
  readonly maxBytes?: number;
}

export interface JsonlLog extends Observer {
  onCall(record: CallRecord): void;
  onProblem(problem: SourceProblem): void;
  /** Waits until everything reported so far is written, or cannot be written. */
  flush(): Promise<void>;
}

const MAX_LINE = 64_000;
const MAX_CAUSES = 8;

/** Returns a value instead of text, so that secrets can be recognised by their member names. */
function describeThrown(thrown: unknown): unknown {
  try {
    return toJson(thrown).value;
  } catch {
    return "something unreadable";
  }
}

/** Logs the full error. The caller's envelope hides internal text and has only the request id. */
function describeError(thrown: unknown, depth = 0): unknown {
  if (!(thrown instanceof Error)) return describeThrown(thrown);
  const { name, message, stack, cause } = thrown;
  const code: unknown = Reflect.get(thrown, "code");
  const inner = depth < MAX_CAUSES ? describeError(cause, depth + 1) : undefined;
  return { name, message, code, stack, cause: inner };
}

/** Removes the approval token, because every reader of the log could use it to make the call. */
function describeFailure({ details, ...error }: ResultError): unknown {
  if (details === undefined) return error;
  const { approve: _, ...others } = details;
  return { ...error, details: others };
}

/** Does not log the result's data, because it belongs to the user and can be large. */
function describeCall({ envelope, error, ...call }: CallRecord): Record<string, unknown> {
  return {
    time: new Date(call.started_at).toISOString(),
    request_id: call.request_id,
    capability_id: call.capability_id,
    identity: call.identity?.id,
    duration_ms: call.duration_ms,
    ok: envelope.ok,
    params: call.params,
    meta: envelope.meta,
    error: envelope.ok ? undefined : describeFailure(envelope.error),
    thrown: describeError(error),
  };
}

function toLine(entry: Record<string, unknown>, redact: JsonlLogOptions["redact"]): string {
  const line = JSON.stringify(redact(entry));
  if (line.length <= MAX_LINE) return line;
  const { time, request_id, capability_id, ok } = entry;
  return JSON.stringify(redact({ time, request_id, capability_id, ok, left_out: line.length }));
}

class FileLog implements JsonlLog {
  readonly #file: LineFile;
  readonly #redact: JsonlLogOptions["redact"];

  constructor({ path = stateFiles().log, maxBytes = 10_000_000, redact }: JsonlLogOptions) {
    this.#file = new LineFile({ path, maxBytes });
    this.#redact = redact;
  }

  onCall(record: CallRecord): void {
    this.#file.add(toLine(describeCall(record), this.#redact));
  }

  onProblem(problem: SourceProblem): void {
    const entry = { time: new Date().toISOString(), problem: { ...problem } };
    this.#file.add(toLine(entry, this.#redact));
  }

  flush(): Promise<void> {
    return this.#file.flush();
  }
}

/** Writes a line of JSON for each finished call. Nothing is logged if this is not used. */
export function jsonlLog(options: JsonlLogOptions): JsonlLog {
  return new FileLog(options);
}
