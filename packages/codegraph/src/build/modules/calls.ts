import type { CallExpression, Comment, Node, ParseResult, Program } from "oxc-parser";
import { REQUIRE, RESOLVE, requireName } from "./require-name.ts";
import { takenOfCall } from "./required-names.ts";
import { literalText } from "./literal-text.ts";
import { pushChildren } from "./tree-children.ts";

/**
 * A `require("x")`, `import x = require("x")` or `import("x").T`, which the parser's module record
 * does not list.
 */
interface ModuleCall {
  readonly specifier: string;
  readonly kind: "require" | "import";
  readonly typeOnly: boolean;
  readonly start: number;
  /** The function that is used like `require`. */
  readonly by?: string;
  /** The names that the surrounding code uses from the module. */
  readonly names?: readonly string[];
}

export interface ModuleCalls {
  readonly calls: readonly ModuleCall[];
  /** The positions of `require` calls whose argument is not a string. */
  readonly unknown: readonly { readonly start: number; readonly end: number }[];
  /** The position of `export =`. */
  readonly exportAssignment?: number;
}

/**
 * Whether the text may contain a module call that the module record does not list. Walking the
 * whole tree would cost more than everything else, so the text is searched first.
 */
export function mayHaveCalls(
  text: string,
  result: Pick<ParseResult, "module" | "comments">,
  exotic: readonly string[] = [],
): boolean {
  const places = exotic.flatMap((name) => matchOffsets(text, getMention(name)));
  if (text.includes("require")) places.push(...matchOffsets(text, REQUIRE_CALL));
  if (text.includes("export =") || text.includes("export=")) {
    places.push(...matchOffsets(text, EXPORT_ASSIGNMENT));
  }
  const imports = importCalls(text);
  const { dynamicImports } = result.module;
  if (imports.length > dynamicImports.length) {
    const known = new Set(dynamicImports.map(({ start }) => start));
    places.push(...imports.filter((place) => !known.has(place)));
  }
  return places.length > 0 && !areComments(places, result.comments);
}

const REQUIRE_CALL = /\brequire\s*(?:\.resolve\s*)?\(/g;
const EXPORT_ASSIGNMENT = /\bexport\s*=[^=]/g;

/** A pattern for calls of a function, by the last part of its name. */
function getMention(name: string): RegExp {
  const word = name.slice(name.lastIndexOf(".") + 1).replaceAll("$", String.raw`\$`);
  return new RegExp(String.raw`(?<![\p{ID_Continue}$])${word}(?![\p{ID_Continue}$])`, "gu");
}

function matchOffsets(text: string, pattern: RegExp): number[] {
  return Array.from(text.matchAll(pattern), ({ index }) => index);
}

const CALL = /\s*\(/y;
const NAME_BEFORE = /[\w$]$/;

/** The positions of `import(`. A plain text search is fastest, because every file is searched. */
function importCalls(text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf("import"); at >= 0; at = text.indexOf("import", at + 6)) {
    CALL.lastIndex = at + 6;
    if (CALL.test(text) && !NAME_BEFORE.test(text.slice(Math.max(0, at - 1), at))) places.push(at);
  }
  return places;
}

function areComments(places: readonly number[], comments: readonly Comment[]): boolean {
  return places.every((place) => comments.some(({ start, end }) => start <= place && place < end));
}

export function moduleCalls(program: Program, exotic: readonly string[] = []): ModuleCalls {
  const calls: ModuleCall[] = [];
  const unknown: { start: number; end: number }[] = [];
  let exportAssignment: number | undefined;
  const taken = new Map<Node, readonly string[]>();
  const pending: Node[] = [program];
  /** The position where the innermost function with its own `require` ends. */
  let ownEnd = 0;
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === "TSExportAssignment") exportAssignment = node.start;
    const inside = takenOfCall(node);
    if (inside) taken.set(inside.call, inside.names);
    const call = isOwnRequire(node, ownEnd) ? undefined : moduleCall(node, exotic);
    const names = taken.get(node);
    if (call === "unknown") unknown.push({ start: node.start, end: node.end });
    else if (call) calls.push(names ? { ...call, names } : call);
    if (node.start >= ownEnd && hasOwnRequire(node)) ownEnd = node.end;
    pushChildren(node, pending);
  }
  calls.sort((a, b) => a.start - b.start);
  return { calls, unknown, ...(exportAssignment !== undefined && { exportAssignment }) };
}

/**
 * In a bundle, `function (require, module, exports)` gets a `require` that loads from the bundle.
 */
function hasOwnRequire(node: Node): boolean {
  if (!("params" in node) || !Array.isArray(node.params)) return false;
  return node.params.some((param: Node) => param.type === "Identifier" && param.name === REQUIRE);
}

function isOwnRequire(node: Node, ownEnd: number): boolean {
  if (node.start >= ownEnd || node.type !== "CallExpression") return false;
  return node.callee.type === "Identifier" && node.callee.name === REQUIRE;
}

function moduleCall(node: Node, exotic: readonly string[]): ModuleCall | "unknown" | undefined {
  const { start } = node;
  if (node.type === "TSImportType") {
    return { specifier: node.source.value, kind: "import", typeOnly: true, start };
  }
  if (node.type === "TSImportEqualsDeclaration") {
    const { moduleReference, importKind } = node;
    if (moduleReference.type !== "TSExternalModuleReference") return undefined;
    const specifier = moduleReference.expression.value;
    return { specifier, kind: "require", typeOnly: importKind === "type", start };
  }
  return node.type === "CallExpression" ? findRequire(node, exotic) : undefined;
}

function findRequire(
  node: CallExpression,
  exotic: readonly string[],
): ModuleCall | "unknown" | undefined {
  const name = requireName(node.callee, exotic);
  const [argument] = node.arguments;
  if (name === "" || !argument) return undefined;
  const specifier = literalText(argument);
  if (specifier === undefined) return name === RESOLVE ? undefined : "unknown";
  const by = exotic.includes(name) ? { by: name } : {};
  return { specifier, kind: "require", typeOnly: false, start: node.start, ...by };
}
