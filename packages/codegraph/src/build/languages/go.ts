import type { ExportFact, ModuleFacts, Request } from "../modules/facts.ts";
import { NO_FACTS } from "../modules/facts.ts";
import { columnOf, lineOf, present, withTree } from "./grammars.ts";
import type { SyntaxNode } from "./grammars.ts";

const SPECS = ["type_spec", "type_alias", "var_spec", "const_spec"];

/** What a Go file says about packages. */
export async function parseGo(text: string): Promise<ModuleFacts> {
  const lines = text.split("\n").length;
  const facts = await withTree("go", text, read);
  return facts ? { ...facts, lines } : { ...NO_FACTS, lines, state: "failed" };
}

function read(root: SyntaxNode): Omit<ModuleFacts, "lines"> {
  const detail = "the file does not parse";
  return {
    state: root.hasError ? "partial" : "parsed",
    hasExports: !root.hasError,
    requests: present(root.descendantsOfType(["import_spec"])).map(requestOf),
    exports: present(root.namedChildren).flatMap(exportsIn),
    stars: [],
    gaps: root.hasError ? [{ kind: "syntax", line: 1, text: "syntax error", detail }] : [],
  };
}

function requestOf(spec: SyntaxNode): Request {
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

/** Names that start with a capital letter can be used by other packages. */
function exportsIn(node: SyntaxNode): ExportFact[] {
  const declared =
    node.type === "function_declaration" ? [node] : present(node.descendantsOfType(SPECS));
  if (!node.type.endsWith("_declaration") || node.type === "method_declaration") return [];
  return declared.flatMap((spec) =>
    present(spec.childrenForFieldName("name"))
      .filter(({ text }) => /^\p{Lu}/u.test(text))
      .map((name) => ({ name: name.text, line: lineOf(name), typeOnly: false })),
  );
}
