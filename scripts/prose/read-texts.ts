import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, visitorKeys } from "oxc-parser";
import type { CallExpression, Node } from "oxc-parser";
import { root } from "../run.mjs";

/** A text in a file that people read. */
export interface Text {
  readonly kind: "page" | "comment" | "message" | "title" | "name";
  readonly body: string;
  readonly line: number;
}

const CHECKED =
  /^(?:packages|scripts|test|examples|benchmarks|docs|\.changeset)\/.*\.(?:tsx?|[cm]?js|md)$|^packages\/github\/cards\/.*\.yaml$|^[A-Z]+\.md$/;
const NOT_CHECKED =
  /(?:^|\/)(?:generated|fixtures|trajectories)\/|^scripts\/prose\/|^benchmarks\/RESULTS\.md$/;
const TESTS = new Set(["it", "test", "describe"]);
/** Strings with SQL, JSON or code, which are skipped. Messages start with a word. */
const CODE = /^\s*(?:[{[<]|\/\/|(?:CREATE|SELECT|INSERT|UPDATE|DELETE)\s)/;
const GENERATED = /Written by "npm run generate"/;

/** Whether the file is checked. Generated text is checked at its source. */
export function isChecked(file: string): boolean {
  return CHECKED.test(file) && !NOT_CHECKED.test(file) && existsSync(join(root, file));
}

export function readTexts(file: string): Text[] {
  const code = readFileSync(join(root, file), "utf8");
  if (GENERATED.test(code.slice(0, 400))) return [];
  if (file.endsWith(".md")) return textsInPage(code);
  if (file.endsWith(".yaml")) return textsInCard(code);
  return textsInCode(file, code);
}

/** The paragraphs, without code, URLs and comments. */
export function textsInPage(page: string): Text[] {
  const prose = page
    .replaceAll(/^```[^]*?^```$|<!--[^]*?-->|^---\n[^]*?\n---$/gm, blank)
    .replaceAll(/`[^`\n]+`/g, "`code`")
    .replaceAll(/\]\([^)\s]*\)/g, "]");
  // A list item, a table row and a heading also end a sentence.
  return pieces(prose, /\n\s*\n|\n(?=\s*(?:[-*|#>]|\d+\.)\s)/).map((piece) => ({
    kind: "page",
    ...piece,
  }));
}

/** In YAML: a description on its own line or inside braces, or a comment. */
const CARD_TEXT =
  /^\s*-?\s*(?:description|reason|hint): (.*)$|[{,] description: ("[^"]*"|[^,}]*)|#\s(.*)$/gu;

/** Reads the descriptions and comments of a card. */
export function textsInCard(card: string): Text[] {
  return card.split("\n").flatMap((text, index) =>
    Array.from(text.matchAll(CARD_TEXT), ([, own, inline, comment]): Text => {
      return { kind: "message", body: own ?? inline?.trim() ?? comment ?? "", line: index + 1 };
    }),
  );
}

/** Comments, messages, test titles and declared names. */
export function textsInCode(file: string, code: string): Text[] {
  const { program, comments } = parseSync(file, code);
  const lineEnds = [...code.matchAll(/\n/g)].map(({ index }) => index);
  const lineOf = (at: number) => lineEnds.findLastIndex((end) => end < at) + 2;
  const isTest = /\.test(?:-d)?\.ts/.test(file);
  const found: Text[] = joined(comments, code).map(({ start, body }) => {
    return { kind: "comment", body, line: lineOf(start) };
  });
  visit(program);
  return found;

  function visit(node: Node): void {
    const title = node.type === "CallExpression" ? titleOf(node) : undefined;
    if (title !== undefined) found.push({ kind: "title", body: title, line: lineOf(node.start) });
    const name = declaredName(node);
    if (name !== undefined) found.push({ kind: "name", body: name, line: lineOf(node.start) });
    const message = isTest ? undefined : stringIn(node);
    if (message !== undefined && /\s/.test(message) && !CODE.test(message)) {
      found.push({ kind: "message", body: message, line: lineOf(node.start) });
    }
    for (const child of childrenOf(node)) visit(child);
  }
}

/** Joins line comments that follow each other. */
function joined(
  comments: readonly { type: string; value: string; start: number; end: number }[],
  code: string,
): { start: number; body: string }[] {
  const found: { start: number; end: number; body: string }[] = [];
  for (const { type, value, start, end } of comments) {
    const body = value
      .replaceAll(/^[\s*]+|\s+$/gm, " ")
      .replaceAll(/\s+/g, " ")
      .trim();
    const last = found.at(-1);
    const isNext =
      type === "Line" && last !== undefined && /^\s*$/.test(code.slice(last.end, start));
    if (isNext) found[found.length - 1] = { start: last.start, end, body: `${last.body} ${body}` };
    else found.push({ start, end, body });
  }
  return found;
}

/** The title of `it("…")` and `it.each(table)("…")`. */
function titleOf({ callee, arguments: [first] }: CallExpression): string | undefined {
  if (first === undefined) return undefined;
  const name = calledName(callee);
  return name !== undefined && name !== "describe" && TESTS.has(name) ? stringIn(first) : undefined;
}

function calledName(callee: Node): string | undefined {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type === "MemberExpression") return calledName(callee.object);
  return callee.type === "CallExpression" ? calledName(callee.callee) : undefined;
}

function declaredName(node: Node): string | undefined {
  switch (node.type) {
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return node.id?.name;
    default:
      return undefined;
  }
}

function stringIn(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type !== "TemplateLiteral") return undefined;
  return node.quasis.map(({ value }) => value.cooked ?? value.raw).join("…");
}

function childrenOf(node: Node): Node[] {
  const own = node as unknown as Readonly<Record<string, unknown>>;
  return (visitorKeys[node.type] ?? []).flatMap((key) => {
    const values = Array.isArray(own[key]) ? (own[key] as unknown[]) : [own[key]];
    return values.filter(
      (value): value is Node => typeof (value as Node | null)?.type === "string",
    );
  });
}

function pieces(text: string, border: RegExp): { body: string; line: number }[] {
  let line = 1;
  return text.split(new RegExp(`(${border.source})`)).flatMap((part) => {
    const start = line;
    line += part.split("\n").length - 1;
    const body = part.replaceAll(/\s+/g, " ").trim();
    return body === "" ? [] : [{ body, line: start }];
  });
}

/** Replaces a text by empty lines, so that later lines keep their numbers. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]+/g, "");
}
