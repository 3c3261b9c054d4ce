import { parseBrief } from "@waybill/core";
import { parseBriefChain } from "@waybill/core/protocol";
import { isRecord } from "@waybill/core/schema";
import { parsePrinted } from "../play/expression.ts";

type Brief = ReturnType<typeof parseBrief>;

const WHOLE = ["ok", "success", "status"];

function envelope({ error, ...answer }: Brief): object {
  return { ...answer, error: error && { retryable: false, ...error } };
}

function chainResult(text: string): object {
  const { ok, error, results } = parseBriefChain(text);
  return { status: ok ? "success" : "failed", error, results: results.map(envelope) };
}

function toolEnvelope({ ok, data, error }: Brief): object {
  return { success: ok, data: { result: ok ? data : { error } } };
}

/**
 * The envelope for a brief text of `run`, `chain` or `graph`, so that brief and full answers are
 * judged in the same way. JSON is parsed, and any other text is returned unchanged.
 */
export function wholeAnswer(asked: string, text: string): unknown {
  const json = parsePrinted(text);
  if (isRecord(json) && WHOLE.some((name) => name in json)) return json;
  if (/\bchain$/u.test(asked)) return chainResult(text);
  if (/\bgraph(?:_\w+)?$/u.test(asked)) return toolEnvelope(parseBrief(text));
  return /\b(?:run|execute)$/u.test(asked) ? envelope(parseBrief(text)) : json;
}
