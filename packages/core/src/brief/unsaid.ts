import { isRecord } from "../envelope/index.ts";

/** The words of an error line: the message, and the signature of the capability. */
export interface Said {
  readonly message: string;
  readonly signature: string;
}

/** Matches the end of a text that ends within a name, and the start of one that goes on with it. */
const NAME_BEFORE = /[\p{L}\p{N}_-]$/u;
const NAME_AFTER = /^\.?[\p{L}\p{N}_-]/u;

/**
 * Whether a text contains a name as a whole word: `labels are unknown` does not contain `label`.
 * An empty name is always contained.
 */
export function mentions(text: string, name: string): boolean {
  if (name === "") return true;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    const isWhole = !NAME_BEFORE.test(text.slice(Math.max(0, at - 1), at));
    if (isWhole && !NAME_AFTER.test(text.slice(end, end + 2))) return true;
  }
  return false;
}

/** The last name of a JSON pointer. Empty for the whole input. */
function lastName(path: unknown): string {
  return typeof path === "string" ? path.slice(path.lastIndexOf("/") + 1) : "";
}

/** Whether the message says what is wrong and where. A signature names each required input. */
function isProblemSaid(issue: unknown, { message: said, signature }: Said): boolean {
  if (!isRecord(issue)) return false;
  const { path, message, missing, did_you_mean: nearest = "", allowed = [] } = issue;
  const all = `${said} ${signature}`;
  const values = Array.isArray(allowed) ? allowed.map(String) : [];
  return (
    said.includes(String(message)) &&
    mentions(missing === true ? all : said, lastName(path)) &&
    mentions(said, String(nearest)) &&
    values.every((value) => mentions(all, value))
  );
}

/**
 * The part of a detail that the message does not say: of the problems of an input, those that it
 * does not name, and similar ids unless it names all of them. Undefined if it says everything.
 */
export function unsaidPart(name: string, value: unknown, said: Said): unknown {
  if (!Array.isArray(value)) return value;
  if (name === "did_you_mean") {
    return value.every((id) => mentions(said.message, String(id))) ? undefined : value;
  }
  if (name !== "issues" && name !== "errors") return value;
  const unsaid = value.filter((issue) => !isProblemSaid(issue, said));
  return unsaid.length === 0 ? undefined : unsaid;
}
