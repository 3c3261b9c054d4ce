import { cliEnvelope, fail } from "@waybill/core";
import { exactIntegersMeta } from "@waybill/core/schema";
import type { HandleStore } from "@waybill/core";
import type { PipelineMeta, RouteAnswer } from "@waybill/core/cards";
import { keepFile, replacedBytesNote } from "../../http/index.ts";
import { parseJson } from "../parse.ts";
import type { ProgramResult } from "../run-program.ts";
import type { ManifestOperation } from "./manifest.ts";

const MAX_STDERR = 2_000;

/**
 * The error for an exit code that means failure. Only the manifest knows the meaning of exit
 * codes.
 */
function programFailure(operation: ManifestOperation, result: ProgramResult): Error {
  const { exitCode, signal } = result;
  const how = signal === null ? `ended with exit code ${exitCode}` : `was killed by ${signal}`;
  const code = operation.exit_codes?.[String(exitCode)] ?? "UNKNOWN";
  const stderr = result.stderr.trim().slice(-MAX_STDERR);
  const line = stderr.split("\n").findLast((text) => text.trim() !== "");
  return fail(code, line === undefined ? `The program ${how}` : `The program ${how}: ${line}`, {
    outcome: "unknown",
    exit_code: exitCode,
    ...(stderr !== "" && { stderr }),
  });
}

/** A program's output as data, with its warnings. */
type Printed = Pick<PipelineMeta, "warnings" | "changes"> & { readonly data: unknown };

function parseOutput({ stdout, truncated, rest }: ProgramResult): Printed {
  if (truncated) {
    const message = `The program printed ${rest?.size ?? stdout.length} bytes of JSON, which is too much. Request less data`;
    throw fail("TOO_LARGE", message, { outcome: "applied" });
  }
  const parsed = parseJson(stdout);
  if (parsed === undefined) throw notJson("something that is not JSON");
  const { warnings = [], ...exact } = exactIntegersMeta(parsed.integers);
  return { data: parsed.value, ...exact, warnings: [...warnings, ...replacedBytesNote(stdout)] };
}

/**
 * Marks the error as final. The call is not repeated, because the program would print the same
 * again.
 */
function notJson(what: string): Error {
  const message = `The program printed ${what}. Check "output" in its manifest`;
  return fail("SERVER", message, { outcome: "applied", final: true });
}

/** Parses output with one JSON value per line as a list. */
function jsonLines(text: string): Printed {
  const values: unknown[] = [];
  const integers: string[] = [];
  for (const [index, line] of splitLines(text).entries()) {
    if (line.trim() === "") continue;
    const parsed = parseJson(Buffer.from(line));
    if (parsed === undefined) throw notJson(`a line that is not JSON: line ${index + 1}`);
    integers.push(...parsed.integers.map((path) => `/${values.length}${path}`));
    values.push(parsed.value);
  }
  return { data: values, ...exactIntegersMeta(integers) };
}

function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Removes the last line of output that was cut, because the line may be incomplete. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf("\n") + 1);
}

/** The output as text. Undefined if it is not text. */
function outputText({ stdout, truncated }: ProgramResult): string | undefined {
  if (stdout.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(stdout, { stream: truncated });
  } catch {
    return undefined;
  }
}

async function printed(
  { output = "text" }: ManifestOperation,
  result: ProgramResult,
  { handles, id }: CommandAnswerOptions,
): Promise<Printed> {
  if (output === "json") return parseOutput(result);
  const text = outputText(result);
  if (text !== undefined && output === "text") return { data: text };
  if (text !== undefined) {
    const whole = result.truncated ? wholeLines(text) : text;
    return output === "ndjson" ? jsonLines(whole) : { data: splitLines(whole) };
  }
  const kept = await keepFile(result.stdout, {}, handles, id);
  const warning = "The program printed binary data, which is stored as a file";
  return { data: kept.data, warnings: [warning, ...kept.warnings] };
}

export interface CommandAnswerOptions {
  readonly id: string;
  readonly handles: HandleStore | undefined;
}

/** Converts a program's output to an answer, or throws if that is not possible. */
export async function commandAnswer(
  operation: ManifestOperation,
  command: string[],
  result: ProgramResult,
  options: CommandAnswerOptions,
): Promise<RouteAnswer> {
  const { exitCode, durationMs, rest, stdout } = result;
  if (exitCode !== 0) throw programFailure(operation, result);
  const { data, warnings = [], changes } = await printed(operation, result, options);
  const cut =
    rest === undefined
      ? []
      : [`The data has only the first ${stdout.length} of ${rest.size} bytes`];
  const said = [...cut, ...warnings];
  const facts = { ...(said.length > 0 && { warnings: said }), ...(changes && { changes }) };
  const meta = { command, exitCode, durationMs, ...facts };
  const response = cliEnvelope(data, meta);
  return { response, upstreamRequests: 1, rawBytes: rest?.size ?? stdout.length };
}
