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
 * The envelope that a brief text of `run`, `chain` or `graph` stands for, so that brief and whole
 * answers are judged alike. Every other text is returned as it is, and JSON as its value.
 */
export function wholeAnswer(asked: string, text: string): unknown {
  const json = parsePrinted(text);
  if (isRecord(json) && WHOLE.some((name) => name in json)) return json;
  if (/\bchain$/u.test(asked)) return chainResult(text);
  if (/\bgraph(?:_\w+)?$/u.test(asked)) return toolEnvelope(parseBrief(text));
  return /\b(?:run|execute)$/u.test(asked) ? envelope(parseBrief(text)) : json;
}
