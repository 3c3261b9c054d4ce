import { isRecord } from "@waybill/core";

const MAX_FACTS = 10_000;

/** The values that an answer has to name, however it is worded. */
function factsIn(value: unknown): (string | number | boolean)[] {
  const facts: (string | number | boolean)[] = [];
  const left: unknown[] = [value];
  while (left.length > 0 && facts.length < MAX_FACTS) {
    const each = left.pop();
    if (typeof each === "string" || typeof each === "number" || typeof each === "boolean") {
      facts.push(each);
    } else if (Array.isArray(each)) {
      left.push(...each.toReversed());
    } else if (isRecord(each)) {
      left.push(...Object.values(each).toReversed());
    }
  }
  return facts;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[\s*_`"“”]+/gu, " ");
}

const YES = /\b(?:yes|true)\b/u;
const NO = /\b(?:no|not|false|none|never|nobody|nothing|unknown|cannot|unable)\b|n['’]t\b/u;

/** “It is merged” says yes as well, so that nothing which denies it is enough. */
function affirms(answer: string): boolean {
  return YES.test(answer) || !NO.test(answer);
}

function names(answer: string, fact: string | number | boolean): boolean {
  if (typeof fact === "boolean") return fact ? affirms(answer) : NO.test(answer);
  if (typeof fact === "string") return answer.includes(plain(fact).trim());
  const digits = String(fact).replaceAll(/[.+]/g, String.raw`\$&`);
  return new RegExp(`(?<![\\d.])${digits}(?![\\d]|\\.\\d)`, "u").test(
    answer.replaceAll(/(\d),(?=\d{3})/g, "$1"),
  );
}

/** The first fact of the truth that an answer does not name; undefined when it names all. */
export function missingFact(truth: unknown, answer: string): string | undefined {
  const text = plain(answer);
  const missing = factsIn(truth).find((fact) => !names(text, fact));
  return missing === undefined ? undefined : String(missing);
}
