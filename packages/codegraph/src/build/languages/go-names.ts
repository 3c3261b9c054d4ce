import type { TakenName } from "../modules/facts.ts";
import { lineOf, present } from "./grammars.ts";
import type { SyntaxNode } from "./grammars.ts";

/** Names that are predeclared in every Go program. */
const PREDECLARED = new Set(
  (
    "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 " +
    "rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close " +
    "complex copy delete imag len make max min new panic print println real recover _"
  ).split(" "),
);

export const OWN_PACKAGE = ".";
export const OUTER_TESTS = "._test";

/** Nodes that declare local names. */
const BINDERS = [
  "parameter_declaration",
  "variadic_parameter_declaration",
  "type_parameter_declaration",
  "short_var_declaration",
  "range_clause",
  "receive_statement",
  "type_switch_statement",
  "var_spec",
  "const_spec",
  "type_spec",
];

export const isPredeclared = (name: string): boolean => PREDECLARED.has(name);

export function findPackage(root: SyntaxNode): SyntaxNode | undefined {
  const clause = present(root.namedChildren).find(({ type }) => type === "package_clause");
  return present(clause?.namedChildren ?? [])[0];
}

/**
 * The name under which a file requests its own package. Tests of an external package `x_test` use
 * another one.
 */
export function ownPackageName(root: SyntaxNode): string {
  return findPackage(root)?.text.endsWith("_test") === true ? OUTER_TESTS : OWN_PACKAGE;
}

/**
 * Names that the file uses but does not declare, each once. A member name, as in `value.Name`, is
 * recorded as `.Name`.
 */
export function namesUsed(root: SyntaxNode, own: ReadonlySet<string>): TakenName[] {
  const found = new Map<string, TakenName>();
  const imported = importedNames(root);
  const add = (name: string, at: SyntaxNode): void => {
    if (!found.has(name)) found.set(name, { name, typeOnly: false, line: lineOf(at) });
  };
  for (const declaration of present(root.namedChildren)) {
    if (!declaration.type.endsWith("_declaration")) continue;
    const local = localNames(declaration);
    const keys = keysIn(declaration);
    const isOther = (name: string): boolean =>
      !own.has(name) && !imported.has(name) && !local.has(name) && !isPredeclared(name);
    for (const node of present(declaration.descendantsOfType(["identifier", "type_identifier"]))) {
      if (isOther(node.text) && !keys.has(placeOf(node))) add(node.text, node);
    }
    for (const node of present(declaration.descendantsOfType(["selector_expression"]))) {
      const operand = node.childForFieldName("operand")?.text ?? "";
      const name = node.childForFieldName("field")?.text;
      if (name !== undefined && !imported.has(operand)) add(`.${name}`, node);
    }
  }
  return [...found.values()];
}

function importedNames(root: SyntaxNode): Set<string> {
  return new Set(
    present(root.descendantsOfType(["import_spec"])).map((spec) => {
      const path = spec.childForFieldName("path")?.text.slice(1, -1) ?? "";
      return spec.childForFieldName("name")?.text ?? packageName(path);
    }),
  );
}

/** The usual name of a package: `github.com/x/go-toml/v2` becomes `toml`. */
export function packageName(path: string): string {
  const parts = path.split("/");
  const last = parts.pop() ?? "";
  const name = /^v\d+$/.test(last) ? (parts.pop() ?? last) : last;
  return name.replace(/\.v\d+$/, "").replaceAll(/^go-|[-.]go$/g, "");
}

/**
 * All local names of a declaration, regardless of scope: a name is rarely both local and a name of
 * the package.
 */
function localNames(declaration: SyntaxNode): Set<string> {
  const isFunction = /^(?:function|method)_declaration$/.test(declaration.type);
  const names = new Set<string>();
  for (const binder of isFunction ? present(declaration.descendantsOfType(BINDERS)) : []) {
    const left = binder.childForFieldName("left") ?? binder.childForFieldName("alias");
    const bound = left ? left.namedChildren : binder.childrenForFieldName("name");
    for (const { type, text } of present(bound)) {
      if (type === "identifier" || type === "type_identifier") names.add(text);
    }
  }
  return names;
}

/** The field names in `T{name: value}`, which are not uses of a name. */
function keysIn(declaration: SyntaxNode): Set<string> {
  const places = new Set<string>();
  for (const literal of present(declaration.descendantsOfType(["composite_literal"]))) {
    if (!isStruct(literal)) continue;
    const body = literal.childForFieldName("body");
    for (const pair of present(body?.namedChildren ?? [])) {
      const key = pair.type === "keyed_element" ? present(pair.namedChildren)[0] : undefined;
      if (key) places.add(placeOf(key));
    }
  }
  return places;
}

/** Whether the keys of a literal are field names and not values. */
function isStruct(literal: SyntaxNode): boolean {
  const type = literal.childForFieldName("type")?.type ?? "";
  return type === "type_identifier" || type === "qualified_type" || type === "generic_type";
}

const placeOf = ({ startPosition: { row, column } }: SyntaxNode): string => `${row}:${column}`;
