import type { ExportFact, ModuleInfo, Request } from "../modules/facts.ts";
import { NO_FACTS } from "../modules/facts.ts";
import { namesUsed, ownPackageName, findPackage } from "./go-names.ts";
import { columnOf, lineOf, present, withTree } from "./grammars.ts";
import type { SyntaxNode } from "./grammars.ts";

const SPECS = ["type_spec", "type_alias", "var_spec", "const_spec"];
const CAPITAL = /^\p{Lu}/u;

/** The packages, imports and names of a Go file. */
export async function parseGo(text: string): Promise<ModuleInfo> {
  const lines = text.split("\n").length;
  const facts = await withTree("go", text, readGoFile);
  return facts ? { ...facts, lines } : { ...NO_FACTS, lines, state: "failed" };
}

function readGoFile(root: SyntaxNode): Omit<ModuleInfo, "lines"> {
  const detail = "the file does not parse";
  const declared = present(root.namedChildren).flatMap(declaredBy);
  const imports = present(root.descendantsOfType(["import_spec"])).map(importRequest);
  return {
    state: root.hasError ? "partial" : "parsed",
    hasExports: !root.hasError,
    requests: [...imports, ...ownPackage(root, declared)],
    exports: declared.filter(({ name }) => CAPITAL.test(name)),
    shared: [
      ...declared.map(({ name }) => name).filter((name) => !CAPITAL.test(name)),
      ...methodsIn(root),
    ],
    stars: [],
    gaps: root.hasError ? [{ kind: "syntax", line: 1, text: "syntax error", detail }] : [],
  };
}

function importRequest(spec: SyntaxNode): Request {
  const path = spec.childForFieldName("path")?.text ?? "";
  return {
    specifier: path.slice(1, -1),
    kind: "import",
    line: lineOf(spec),
    column: columnOf(spec),
    typeOnly: false,
    confidence: "exact",
    names: [{ name: "*", typeOnly: false }],
  };
}

/**
 * A request for names that a file uses without declaring them. They come from its package, or are
 * unknown.
 */
function ownPackage(root: SyntaxNode, declared: readonly ExportFact[]): Request[] {
  const clause = findPackage(root);
  if (!clause) return [];
  const own = new Set(declared.map(({ name }) => name));
  return [
    {
      specifier: ownPackageName(root),
      kind: "package",
      line: lineOf(clause),
      column: columnOf(clause),
      typeOnly: false,
      confidence: "exact",
      names: namesUsed(root, own),
      optional: true,
    },
  ];
}

function declaredBy(node: SyntaxNode): ExportFact[] {
  if (!node.type.endsWith("_declaration") || node.type === "method_declaration") return [];
  const declared =
    node.type === "function_declaration" ? [node] : present(node.descendantsOfType(SPECS));
  return declared.flatMap((spec) =>
    present(spec.childrenForFieldName("name")).map((name) => ({
      name: name.text,
      line: lineOf(name),
      typeOnly: false,
    })),
  );
}

function methodsIn(root: SyntaxNode): string[] {
  return present(root.namedChildren)
    .filter(({ type }) => type === "method_declaration")
    .map((method) => `.${method.childForFieldName("name")?.text ?? ""}`);
}
