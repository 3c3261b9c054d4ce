import { isRecord } from "@waybill/core/schema";
import type { ResultEnvelope } from "@waybill/core";
import type { FaultProgram } from "./programs.ts";

type Applied = readonly (readonly [text: string, times: number])[];

function total(counts: unknown): number {
  if (!isRecord(counts)) return 0;
  return Object.values(counts).reduce<number>((sum, count) => sum + Number(count), 0);
}

/** Compares an answer with the writes that were really applied. */
export function untruths(
  result: ResultEnvelope,
  { writes }: FaultProgram,
  applied: Applied,
): string[] {
  const twice = applied.filter(([, times]) => times > 1).map(([text]) => `${text} applied twice`);
  if (result.ok) {
    return applied.length === writes ? twice : [...twice, `ok, and ${applied.length} of ${writes}`];
  }
  const { details = {}, message } = result.error;
  const told = isRecord(details["writes"]) ? details["writes"] : {};
  const isKnown = total(told["applied"]);
  const unknown = Array.isArray(told["unknown"]) ? told["unknown"].length : 0;
  const problems = [...twice];
  if (isKnown > applied.length) problems.push(`told ${isKnown} applied, were ${applied.length}`);
  if (applied.length > isKnown + unknown) {
    problems.push(`${applied.length} applied, told ${isKnown} and ${unknown} unknown: ${message}`);
  }
  if (message.includes("Nothing was applied") && applied.length > 0) problems.push("told nothing");
  return problems;
}
