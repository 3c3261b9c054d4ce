/** @typedef {import("../sandbox/messages.ts").ProgramProblem} ProgramProblem */

const MAX_SHOWN = 120;

/** Syntax of other languages, with the JavaScript for it. */
const HABITS = /** @type {const} */ ([
  [
    /^\s*(?:async\s+)?def\s+\w+\s*\(.*\)\s*(?:->.*)?:/u,
    "This is Python; a program is JavaScript: function name(…) { … }",
  ],
  [
    /^\s*(?:for|while|if|elif|else|try|except|with)\b.*:\s*(?:#.*)?$/u,
    "This is Python; a program is JavaScript, with braces: for (const x of list) { … }",
  ],
  [
    /\[[^[\]]*\sfor\s+[\w, ]+\s+in\s/u,
    "This is Python; in JavaScript write list.filter((x) => …).map((x) => …)",
  ],
  [
    /\|\s*(?:\.|(?:map|select|sort_by|group_by|any|all)\s*\(\s*\.)/u,
    "This is jq; in JavaScript write list.map((x) => x.title)",
  ],
  [
    /^\s*(?:from\s+\S+\s+import\b|import\s+[\w.]+(?:\s+as\s+\w+)?\s*$)/u,
    "Programs have no modules: every capability is a global, such as issue.list(…)",
  ],
  [/\bf"[^"]*\{/u, "This is Python; in JavaScript write `text ${value}`"],
  [/^\s*#/u, "A comment starts with //"],
  [/^\s*@[A-Za-z_$]/u, "Decorators are not supported; call the function instead"],
  [/[\s(](?:and|or|not)\s/u, "In JavaScript these are &&, || and !"],
  [/\bis\s+(?:not\s+)?None\b/u, "In JavaScript: === null"],
  [/\blambda\b/u, "In JavaScript: (x) => …"],
  [/\bexcept\b/u, "This is Python; in JavaScript write try { … } catch (error) { … }"],
  [
    /^\s*(?:waybill|gh|curl|npx?|echo|git)\s+[\w"'$]/u,
    "This is a shell command; a program calls functions such as issue.list(…)",
  ],
  [/^\s*[{[]\s*"/u, "This is JSON; a program is JavaScript"],
]);

/** @param {string} line */
function hintFor(line) {
  if (CURLED_QUOTE.test(line)) return `Quotes are ", ' or \``;
  return HABITS.find(([pattern]) => pattern.test(line))?.[1];
}

const ODD_CHARACTER = /^Unexpected character '(?<odd>.)'$/u;
const UNSYNTACTIC = /^Unsyntactic (?<word>break|continue)$/u;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}]/u;
const CURLED_QUOTE = /[\u2018-\u201F\u00AB\u00BB]/u;

/** Replaces the parser's short messages, and shows invisible characters by their numbers. @param {string} message */
function clearMessage(message) {
  const { word } = UNSYNTACTIC.exec(message)?.groups ?? {};
  if (word !== undefined) return `${word} is not inside a loop. To end the program, use return.`;
  const { odd = "" } = ODD_CHARACTER.exec(message)?.groups ?? {};
  if (!INVISIBLE.test(odd)) return message;
  const number = odd.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return `Unexpected character U+${number}, which cannot be seen. Remove it.`;
}

/** The line, with a mark below the position. @param {string} line @param {number} column */
function frame(line, column) {
  const from = Math.max(0, column - MAX_SHOWN / 2);
  const part = line.slice(from, from + MAX_SHOWN);
  return `${part}\n${" ".repeat(Math.max(0, column - from))}^`;
}

/** A `try` without `catch` is marked at its start, far from the wrong word. @param {string} source @param {string} message */
function tryHint(source, message) {
  if (!message.startsWith("Missing catch")) return undefined;
  return hintFor(/^.*\bexcept\b.*$/mu.exec(source)?.[0] ?? "");
}

/**
 * Why a program cannot be parsed, with the line.
 * @param {string} source
 * @param {unknown} thrown
 * @returns {ProgramProblem}
 */
export function syntaxProblem(source, thrown) {
  const error = /** @type {{ message?: string, loc?: { line: number, column: number } }} */ (
    thrown
  );
  const message = clearMessage(String(error.message).replace(/\s*\(\d+:\d+\)$/u, ""));
  if (error.loc === undefined) return { message };
  const { line, column } = error.loc;
  const text = source.split("\n")[line - 1] ?? "";
  const hint =
    hintFor(text) ?? hintFor(source.split("\n")[line - 2] ?? "") ?? tryHint(source, message);
  return {
    line,
    message: `Line ${line}: ${message}\n${frame(text, column)}`,
    ...(hint !== undefined && { hint }),
  };
}
