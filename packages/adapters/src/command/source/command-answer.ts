import { cliEnvelope, fail } from "@waybill/core";
import type { RouteAnswer } from "@waybill/core";
import { parseJson } from "../parse.ts";
import type { ProgramResult } from "../run-program.ts";
import type { ManifestOperation } from "./manifest.ts";

const MAX_STDERR = 2_000;

/** It ended badly: only the manifest knows what its exit codes mean. */
function failureOf(operation: ManifestOperation, result: ProgramResult): Error {
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

function jsonOf({ stdout, truncated, rest }: ProgramResult): unknown {
  if (truncated) {
    const message = `The program printed ${rest?.size ?? stdout.length} bytes of JSON; ask for less`;
    throw fail("TOO_LARGE", message, { outcome: "applied" });
  }
  const parsed = parseJson(stdout);
  if (parsed !== undefined) return parsed.value;
  throw fail("SERVER", "The program printed something that is not JSON", { outcome: "applied" });
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function dataOf({ output = "text" }: ManifestOperation, result: ProgramResult): unknown {
  if (output === "json") return jsonOf(result);
  const text = new TextDecoder().decode(result.stdout, { stream: result.truncated });
  return output === "lines" ? linesOf(text) : text;
}

/** What a program printed, or why that is no answer. */
export function commandAnswer(
  operation: ManifestOperation,
  command: string[],
  result: ProgramResult,
): RouteAnswer {
  const { exitCode, durationMs, rest, stdout } = result;
  if (exitCode !== 0) throw failureOf(operation, result);
  const warnings =
    rest === undefined ? {} : { warnings: [`The first ${stdout.length} of ${rest.size} bytes`] };
  const meta = { command, exitCode, durationMs, ...warnings };
  const response = cliEnvelope(dataOf(operation, result), meta);
  return { response, upstreamRequests: 1, rawBytes: rest?.size ?? stdout.length };
}
