import type { FailureResult } from "@waybill/core";
import { EXIT } from "../exit-codes.ts";
import type { ExitCode } from "../exit-codes.ts";
import { note, printJson, printRaw } from "../io.ts";
import type { Io } from "../io.ts";
import { isUsageError } from "../words/usage-error.ts";
import type { UsageError } from "../words/usage-error.ts";

type Failure = FailureResult["error"];

function usageFailure({ message, details }: UsageError): Failure {
  const isBare = Object.keys(details).length === 0;
  return { code: "VALIDATION", message, retryable: false, ...(isBare ? {} : { details }) };
}

/**
 * An unexpected error is a bug in Waybill. Its text is for developers, so it is not part of the
 * answer.
 */
async function unexpectedFailure(error: unknown, io: Pick<Io, "stderr">): Promise<Failure> {
  await note(io, error instanceof Error ? (error.stack ?? error.message) : String(error));
  return {
    code: "UNKNOWN",
    message: "Unexpected failure; see stderr for details",
    retryable: false,
  };
}

/** Turns any thrown value into the error of an envelope. */
export async function describeFailure(error: unknown, io: Pick<Io, "stderr">): Promise<Failure> {
  if (isUsageError(error)) return usageFailure(error);
  const { isCallError } = await import("@waybill/core");
  const { toResultError } = await import("@waybill/core/protocol");
  if (!isCallError(error)) return unexpectedFailure(error, io);
  // Only a write can have an unknown outcome.
  const isWrite = error.details.outcome === "unknown";
  return toResultError(error, { requestId: "", isWrite, isRepeatable: !isWrite });
}

function getHints({ details }: Failure): string[] {
  const hint = details?.["hint"];
  return typeof hint === "string" ? [`  ${hint}`] : [];
}

/**
 * The command line may be invalid and cannot be parsed, so this searches the unparsed words for
 * flags.
 */
async function printFailure(io: Io, failure: FailureResult): Promise<void> {
  const isBrief = io.argv.includes("--brief") && !io.argv.includes("--trace");
  if (!isBrief) return printJson(io, failure);
  const { briefText } = await import("@waybill/core");
  return printRaw(io, briefText(failure));
}

/** Reports a failure: a sentence on stderr for a person, the usual envelope for a program. */
export async function reportFailure(io: Io, error: unknown, capability = ""): Promise<ExitCode> {
  const failure = await describeFailure(error, io);
  if (io.isTTY) {
    await note(io, [`waybill: ${failure.message}`, ...getHints(failure)].join("\n"));
  } else {
    const meta = { capability_id: capability };
    await printFailure(io, { ok: false, data: null, error: failure, meta });
  }
  return isUsageError(error) ? EXIT.usage : EXIT.failed;
}
