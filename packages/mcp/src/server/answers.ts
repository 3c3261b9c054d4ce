import { briefText, errorFromUnknown } from "@waybill/core";
import {
  briefChainText,
  briefToolText,
  failureResult,
  toResultError,
} from "@waybill/core/protocol";
import type { ChainResult, ResultEnvelope, ToolEnvelope } from "@waybill/core";
import type { CallToolResult } from "@modelcontextprotocol/server";

export function textAnswer(text: string, isError = false): CallToolResult {
  return { content: [{ type: "text", text }], isError };
}

/** Adds content blocks to an answer, such as images, which a client shows besides its text. */
export function withBlocks(
  answer: CallToolResult,
  blocks: CallToolResult["content"],
): CallToolResult {
  return blocks.length === 0 ? answer : { ...answer, content: [...answer.content, ...blocks] };
}

/**
 * Writes each kind of answer as one compact text. It is marked as an error only if the call
 * failed.
 */
export interface Answers {
  readonly isBrief: boolean;
  result(envelope: ResultEnvelope): CallToolResult;
  chain(result: ChainResult): CallToolResult;
  tool(envelope: ToolEnvelope): CallToolResult;
}

function getAnswers(
  isBrief: boolean,
  result: (envelope: ResultEnvelope) => string,
  chain: (result: ChainResult) => string,
  tool: (envelope: ToolEnvelope) => string,
): Answers {
  return {
    isBrief,
    result: (envelope) => textAnswer(result(envelope), !envelope.ok),
    chain: (all) => textAnswer(chain(all), all.status !== "success"),
    tool: (envelope) => textAnswer(tool(envelope), !envelope.success),
  };
}

const whole = (answer: object): string => JSON.stringify(answer);
export const WHOLE_ANSWERS: Answers = getAnswers(false, whole, whole, whole);

/**
 * Writes brief answers. If there is only one reader, a warning that applies to all answers is
 * shown once.
 */
export function briefAnswers(hasOneReader: boolean): Answers {
  const shown = hasOneReader ? { shown: new Set<string>() } : {};
  return getAnswers(
    true,
    (envelope) => briefText(envelope, shown),
    (chained) => briefChainText(chained, shown),
    briefToolText,
  );
}

/** A trace needs the full envelope. */
export function answersFor(answers: Answers, { trace }: { readonly trace?: unknown }): Answers {
  return trace === true ? WHOLE_ANSWERS : answers;
}

/** The answer to an invalid request. It has the same envelope as a failed call. */
export function failureAnswer(
  answers: Answers,
  thrown: unknown,
  capability_id = "",
): CallToolResult {
  const facts = { requestId: "", isWrite: false, isRepeatable: true };
  const error = toResultError(errorFromUnknown(thrown), facts);
  return answers.result(failureResult(error, { capability_id }));
}
