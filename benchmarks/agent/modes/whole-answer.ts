import { isRecord } from "@waybill/core/schema";

/**
 * A brief answer with what goes without saying in it, so that brief and whole ones are judged alike;
 * a whole answer, and a text, as it is.
 */
export function wholeAnswer(answer: unknown): unknown {
  if (!isRecord(answer) || "ok" in answer || "success" in answer) return answer;
  const { results, result, error } = answer;
  if (Array.isArray(results)) return { ...answer, results: results.map(wholeAnswer) };
  if (result !== undefined) return { ...answer, success: true, data: { result } };
  return isRecord(error)
    ? { ok: false, data: null, ...answer }
    : { ok: true, error: null, ...answer };
}
