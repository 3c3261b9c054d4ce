import { isRecord } from "@waybill/core/schema";
import type { ResultEnvelope } from "@waybill/core";
import type { FaultProgram } from "./programs.ts";

type Applied = readonly (readonly [text: string, times: number])[];

function total(counts: unknown): number {
  if (!isRecord(counts)) return 0;
  return Object.values(counts).reduce<number>((sum, count) => sum + Number(count), 0);
}

function countUnknown(told: unknown): number {
  const unknown = isRecord(told) ? told["unknown"] : undefined;
  return Array.isArray(unknown) ? unknown.length : 0;
}

/** The lowest and highest number of applied writes that the answer of a finished run allows. */
function toldRange({ data }: ResultEnvelope, writes: number | undefined): [number, number] {
  if (writes !== undefined) return [writes, writes];
  const { value, writes: told } = isRecord(data) ? data : {};
  return [Number(value), Number(value) + countUnknown(told)];
}

/** Compares an answer with the writes that were really applied. */
export function untruths(
  result: ResultEnvelope,
  { writes }: FaultProgram,
  applied: Applied,
): string[] {
  const twice = applied.filter(([, times]) => times > 1).map(([text]) => `${text} applied twice`);
  if (result.ok) {
    const [least, most] = toldRange(result, writes);
    const isTrue = applied.length >= least && applied.length <= most;
    return isTrue ? twice : [...twice, `ok, and ${applied.length} of ${least} to ${most}`];
  }
  const { details = {}, message } = result.error;
  const told = isRecord(details["writes"]) ? details["writes"] : {};
  const isKnown = total(told["applied"]);
  const unknown = countUnknown(told);
  const problems = [...twice];
  if (isKnown > applied.length) problems.push(`told ${isKnown} applied, were ${applied.length}`);
  if (applied.length > isKnown + unknown) {
    problems.push(`${applied.length} applied, told ${isKnown} and ${unknown} unknown: ${message}`);
  }
  if (message.includes("Nothing was applied") && applied.length > 0) problems.push("told nothing");
  return problems;
}
