import type { NamedLanguage } from "../../graph/index.ts";
import { NO_FACTS } from "../modules/facts.ts";
import type { ExportFact, ModuleInfo, Request } from "../modules/facts.ts";
import { columnOf, hasGrammar, lineOf, present, withTree } from "./grammars.ts";
import type { SyntaxNode } from "./grammars.ts";
import { NAMED_GRAMMARS, declaredName } from "./named-grammars.ts";
import { specifiersIn } from "./named-imports.ts";

/** The imports and declarations of a file in a language that is resolved by name. */
export async function parseNamed(language: NamedLanguage, text: string): Promise<ModuleInfo> {
  const { grammar } = NAMED_GRAMMARS[language];
  const lines = text.split("\n").length;
  if (!hasGrammar(grammar)) return { ...NO_FACTS, lines };
  const facts = await withTree(grammar, text, (root) => readTree(language, root));
  return facts ? { ...facts, lines } : { ...NO_FACTS, lines, state: "failed" };
}

function readTree(language: NamedLanguage, root: SyntaxNode): Omit<ModuleInfo, "lines"> {
  const { declares, imports, names } = NAMED_GRAMMARS[language];
  const requests = present(root.descendantsOfType([...imports])).flatMap((node) =>
    specifiersIn(language, node).map((specifier) => requestAt(node, specifier)),
  );
  const exports = new Map<string, ExportFact>();
  const members = new Set<string>();
  for (const node of present(root.descendantsOfType(Object.keys(declares)))) {
    const name = declaredName(node, names);
    if (!name || exports.has(name.text)) continue;
    if (isInside(node, declares)) members.add(name.text);
    else exports.set(name.text, { name: name.text, line: lineOf(name), typeOnly: false });
  }
  return {
    state: root.hasError ? "partial" : "parsed",
    hasExports: false,
    requests,
    exports: [...exports.values()],
    shared: [...members].filter((name) => !exports.has(name)),
    stars: [],
    gaps: [],
  };
}

/** Whether a declaration is inside another one. */
function isInside(node: SyntaxNode, declares: object): boolean {
  for (let above = node.parent; above; above = above.parent) {
    if (Object.hasOwn(declares, above.type)) return true;
  }
  return false;
}

/** A request is resolved only by file names, so the result is never certain. */
function requestAt(node: SyntaxNode, specifier: string): Request {
  return {
    specifier,
    kind: "import",
    line: lineOf(node),
    column: columnOf(node),
    typeOnly: false,
    confidence: "likely",
    names: [{ name: "*", typeOnly: false }],
    optional: true,
  };
}
