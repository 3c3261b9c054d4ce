import { isResultEnvelope } from "@waybill/core";

function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Names the problem of an agent's answer, if there is one. */
export function envelopeProblem(answer: unknown): string | undefined {
  const text = jsonText(answer);
  if (text === undefined) return "cannot be written as JSON";
  const read: unknown = JSON.parse(text);
  if (!isResultEnvelope(read)) return `is no ResultEnvelope: ${text.slice(0, 300)}`;
  if (read.ok) return undefined;
  if (read.error.message === "") return "has no message";
  return read.error.message.startsWith("Unexpected failure")
    ? `is a defect: ${text.slice(0, 300)}`
    : undefined;
}

export function chainProblem(answer: unknown): string | undefined {
  const text = jsonText(answer);
  if (text === undefined) return "cannot be written as JSON";
  const { status, results, error, meta } = JSON.parse(text) as Record<string, unknown>;
  if (!["success", "partial", "failed"].includes(String(status)))
    return `has the status ${String(status)}`;
  if (!Array.isArray(results) || typeof meta !== "object" || meta === null) return "lacks a part";
  if (error !== null && typeof error !== "object") return "has an error that is none";
  return results.map(envelopeProblem).find((problem) => problem !== undefined);
}
