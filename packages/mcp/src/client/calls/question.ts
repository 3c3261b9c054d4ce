import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { CallError } from "@waybill/core";
import { readQuestion } from "../elicitation.ts";

/** The error if a tool asks a question and nobody can answer it. */
export function questionFailure(requests: unknown): CallError {
  const asked = Object.values(isRecord(requests) ? requests : {})
    .filter(isRecord)
    .map((request) => readQuestion(request["params"]));
  const [first] = asked;
  const question = first === undefined || first.message === "" ? "" : `: ${first.message}`;
  return fail(
    "VALIDATION",
    `The tool asks a question before it continues${question.slice(0, 300)}`,
    {
      outcome: "unknown",
      input_required: asked,
      hint: "Call it where someone can answer, or give the source an `elicit` function",
    },
  );
}
