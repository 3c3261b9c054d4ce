import { httpFailure } from "@waybill/core/cards";
import { graphqlData, restData } from "./gh-api-answer.ts";
import {
  abnormalEnd,
  codeInWords,
  commandFailed,
  failure,
  hintInWords,
  statusInWords,
  toCallError,
} from "./gh-failure.ts";
import { refuseTruncated } from "./gh-run.ts";
import type { GhData, GhRun } from "./gh-run.ts";
import { parseJson, decodeOutput } from "./parse.ts";

/**
 * A subcommand may take several steps. After a failure, it is not known which of them were done.
 */
function commandData(run: GhRun, isJson: boolean): GhData {
  const { result } = run;
  const ended = abnormalEnd(result);
  if (ended !== undefined) throw toCallError(ended);
  if (result.exitCode !== 0) {
    const status = statusInWords(result.stderr);
    const inWords = codeInWords(result.stderr);
    const code = status === undefined ? inWords : httpFailure({ status, headers: {} }).code;
    // `gh` names the object in GitHub's terms, so the card replaces the message by its own.
    const unnamed = inWords === "NOT_FOUND" ? { unnamed: true } : {};
    const more = status === undefined ? unnamed : { status };
    const hint = hintInWords(result.stderr);
    const told = { ...failure(code, "unknown", commandFailed(result)), ...(hint && { hint }) };
    throw toCallError(told, more);
  }
  if (!isJson) return { data: decodeOutput(result.stdout, result.truncated), headers: {} };
  refuseTruncated(run, "unknown");
  const json = parseJson(result.stdout);
  if (json !== undefined) return { data: json.value, headers: {} };
  const what = result.stdout.length === 0 ? "nothing" : "something that is not valid JSON";
  throw toCallError(
    failure("SERVER", "unknown", `gh printed ${what}; check it with: waybill doctor`),
  );
}

/**
 * Reads the data of a `gh` run. Throws a CallError with everything that is known about the
 * failure.
 */
export function readAnswer(run: GhRun): GhData {
  const { request } = run;
  switch (request.kind) {
    case "rest":
      return restData(run);
    case "graphql":
      return graphqlData(run);
    case "command":
      return commandData(run, request.isJson);
  }
}
