import type { SyntaxNode } from "../../languages/grammars.ts";
import type { FactsWriter } from "../facts/facts-writer.ts";
import { OP } from "../facts/ops.ts";
import { children, field } from "./tree-walk.ts";

/** Nodes with their own scope. Names assigned there do not belong to the outer function. */
const OWN_SCOPE = new Set(["function_definition", "class_definition", "lambda"]);
const PATTERNS =
  /^(?:pattern_list|tuple_pattern|list_pattern|list_splat_pattern|tuple|list|as_pattern_target|parenthesized_expression|expression_list)$/;

/**
 * The target of a name that may come from `from module import *`; undefined if there is no such
 * import.
 */
export function starredName(writer: FactsWriter, name: string): number | undefined {
  if (writer.tables.stars.length === 0) return undefined;
  return writer.node2(OP.imported, writer.text("*"), writer.text(name));
}

/**
 * The target of a star import under a name that the module declares later, or only in some cases; 0
 * if the name certainly means the declaration.
 */
export function starredTwin(
  { writer }: { readonly writer: FactsWriter },
  statements: { readonly isConditional: (symbol: number) => boolean },
  name: string,
  found: number,
): number {
  if (writer.code[found] !== OP.symbol) return 0;
  const symbol = writer.code[found + 1]!;
  return symbol >= 0 && !statements.isConditional(symbol) ? 0 : (starredName(writer, name) ?? 0);
}

/** The names in the target of an assignment. */
export function boundNames(target: SyntaxNode | undefined): SyntaxNode[] {
  if (!target) return [];
  if (target.type === "identifier") return [target];
  return PATTERNS.test(target.type) ? children(target).flatMap(boundNames) : [];
}

/** The names that statements assign, at any depth, except global and nonlocal ones. */
export function assignedNames(body: readonly SyntaxNode[]): Set<string> {
  const found = new Set<string>();
  const elsewhere = new Set<string>();
  const pending = [...body];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === "global_statement" || node.type === "nonlocal_statement") {
      for (const name of children(node)) elsewhere.add(name.text);
    }
    for (const name of assignedBy(node)) found.add(name.text);
    if (!OWN_SCOPE.has(node.type)) pending.push(...children(node));
  }
  for (const name of elsewhere) found.delete(name);
  return found;
}

function assignedBy(node: SyntaxNode): SyntaxNode[] {
  switch (node.type) {
    case "assignment":
    case "augmented_assignment":
    case "for_statement":
      return boundNames(field(node, "left"));
    case "named_expression":
      return boundNames(field(node, "name"));
    case "as_pattern":
      // `except Error as error` declares only the alias. A `case` pattern has no field for it.
      return field(node, "alias") ? boundNames(field(node, "alias")) : captured(node);
    case "case_pattern":
    case "splat_pattern":
      return captured(node);
    default:
      return [];
  }
}

/** The names in `case name:` and `case … as name:`. */
function captured(node: SyntaxNode): SyntaxNode[] {
  return children(node).flatMap((part) => {
    if (part.type === "identifier") return [part];
    const names = part.type === "dotted_name" ? children(part) : [];
    return names.length === 1 ? names : [];
  });
}

const OFFERS = /^__all__\s*(?:\+?=|\.(?:append|extend|insert)\s*\()/;

/** The strings in `__all__ = ["name"]`, `__all__ += …` and `__all__.append(…)`, in any branch. */
export function offeredNames(statements: readonly SyntaxNode[]): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const pending = [...statements];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === "expression_statement") {
      if (OFFERS.test(node.text)) found.push(...stringContents(node));
    } else if (!OWN_SCOPE.has(node.type)) pending.push(...children(node));
  }
  return found;
}

function stringContents(node: SyntaxNode): SyntaxNode[] {
  if (node.type === "string_content") return [node];
  return children(node).flatMap(stringContents);
}
