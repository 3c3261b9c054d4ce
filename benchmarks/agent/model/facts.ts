import { isRecord } from "@waybill/core/schema";

const MAX_FACTS = 10_000;

type Fact = string | number;

/** Splits a position such as `file:line` into two facts, because it can be written in many ways. */
function textClaims(text: string): Fact[] {
  const [, file, line] = /^(\S+\.\w+):(\d+)$/u.exec(text) ?? [];
  return file === undefined ? [text] : [file, Number(line)];
}

/**
 * The strings and numbers that an answer has to name, in any wording. Booleans are skipped, because
 * a sentence's words do not show whether it says yes or no.
 */
function factsIn(value: unknown): Fact[] {
  const facts: Fact[] = [];
  const left: unknown[] = [value];
  while (left.length > 0 && facts.length < MAX_FACTS) {
    const each = left.pop();
    if (typeof each === "string") facts.push(...textClaims(each));
    else if (typeof each === "number") facts.push(each);
    else if (Array.isArray(each)) left.push(...each.toReversed());
    else if (isRecord(each)) left.push(...Object.values(each).toReversed());
  }
  return facts;
}

function normalisedText(text: string): string {
  return text.toLowerCase().replaceAll(/[\s*_`"“”]+/gu, " ");
}

function names(answer: string, fact: Fact): boolean {
  if (typeof fact === "string") return answer.includes(normalisedText(fact).trim());
  const digits = String(fact).replaceAll(/[.+]/g, String.raw`\$&`);
  return new RegExp(`(?<![\\d.])${digits}(?![\\d]|\\.\\d)`, "u").test(
    answer.replaceAll(/(\d),(?=\d{3})/g, "$1"),
  );
}

/** The first fact that the answer does not contain; undefined if it contains all. */
export function missingFact(truth: unknown, answer: string): string | undefined {
  const text = normalisedText(answer);
  const missing = factsIn(truth).find((fact) => !names(text, fact));
  return missing === undefined ? undefined : String(missing);
}
