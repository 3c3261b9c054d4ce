import type { ExportFact, GapFact, ModuleFacts, Request, StarFact } from "../modules/facts.ts";
import { NO_FACTS } from "../modules/facts.ts";
import { columnOf, lineOf, present, withTree } from "./grammars.ts";
import type { SyntaxNode } from "./grammars.ts";

const IMPORTS = ["import_statement", "import_from_statement"];
const LOADERS = /^(?:importlib\.)?(?:import_module|__import__)$/;
const MAX_TEXT = 200;

/** What a Python file says about modules. */
export async function parsePython(path: string, text: string): Promise<ModuleFacts> {
  const lines = text.split("\n").length;
  const facts = await withTree("python", text, (root) => new PythonReader(path).read(root));
  return facts ? { ...facts, lines } : { ...NO_FACTS, lines, state: "failed" };
}

class PythonReader {
  readonly #isPackage: boolean;
  readonly #requests: Request[] = [];
  readonly #exports: ExportFact[] = [];
  readonly #stars: StarFact[] = [];
  readonly #gaps: GapFact[] = [];

  constructor(path: string) {
    this.#isPackage = /(?:^|\/)__init__\.pyi?$/.test(path);
  }

  read(root: SyntaxNode): Omit<ModuleFacts, "lines"> {
    for (const node of present(root.descendantsOfType(IMPORTS))) {
      if (node.type === "import_statement") this.#readImport(node);
      else this.#readFrom(node);
    }
    for (const node of present(root.descendantsOfType(["call"]))) this.#readCall(node);
    for (const node of present(root.namedChildren)) this.#readDefinition(node);
    if (root.hasError) {
      const detail = "the file does not parse";
      this.#gaps.push({ kind: "syntax", line: 1, text: "syntax error", detail });
    }
    return {
      state: root.hasError ? "partial" : "parsed",
      hasExports: !root.hasError,
      requests: this.#requests,
      exports: this.#exports,
      stars: this.#stars,
      gaps: this.#gaps,
    };
  }

  #readImport(node: SyntaxNode): void {
    for (const name of present(node.childrenForFieldName("name"))) {
      this.#request(node, nameOf(name), ["*"]);
    }
  }

  /** `from x import y` takes a name of `x`, or the module `x.y`. */
  #readFrom(node: SyntaxNode): void {
    const module = node.childForFieldName("module_name")?.text.replaceAll(/\s/g, "") ?? "";
    const taken = present(node.childrenForFieldName("name"));
    const isAll = present(node.namedChildren).some(({ type }) => type === "wildcard_import");
    const from = this.#request(node, module, isAll ? ["*"] : taken.map(nameOf));
    if (isAll) this.#stars.push({ from, line: lineOf(node), typeOnly: false });
    for (const name of taken) {
      const separator = module.endsWith(".") ? "" : ".";
      this.#request(node, module + separator + nameOf(name), ["*"], true);
      if (!this.#isPackage || node.parent?.type !== "module") continue;
      const alias = name.childForFieldName("alias")?.text ?? nameOf(name);
      const fact = { name: alias, line: lineOf(node), typeOnly: false };
      this.#exports.push({ ...fact, from, imported: nameOf(name) });
    }
  }

  #readCall(node: SyntaxNode): void {
    if (!LOADERS.test(node.childForFieldName("function")?.text ?? "")) return;
    const [argument] = present(node.childForFieldName("arguments")?.namedChildren ?? []);
    const literal = /^(["'])([\w.]+)\1$/.exec(argument?.text ?? "")?.[2];
    if (literal !== undefined) this.#request(node, literal, ["*"], false, "dynamic");
    else {
      const detail = "what it loads is only known when it runs";
      const text = node.text.slice(0, MAX_TEXT);
      this.#gaps.push({ kind: "dynamic", line: lineOf(node), text, detail });
    }
  }

  #readDefinition(node: SyntaxNode): void {
    const inner =
      node.type === "decorated_definition" ? node.childForFieldName("definition") : node;
    for (const name of inner ? definedIn(inner) : []) {
      if (this.#exports.some((known) => known.name === name)) continue;
      this.#exports.push({ name, line: lineOf(node), typeOnly: false });
    }
  }

  #request(
    node: SyntaxNode,
    specifier: string,
    names: readonly string[],
    optional = false,
    kind: "import" | "dynamic" = "import",
  ): number {
    const typeOnly = isForTypes(node);
    const request: Request = {
      specifier,
      kind,
      line: lineOf(node),
      column: columnOf(node),
      typeOnly,
      confidence: "exact",
      names: names.map((name) => ({ name, typeOnly })),
      ...(optional && { optional }),
    };
    return this.#requests.push(request) - 1;
  }
}

function nameOf(node: SyntaxNode): string {
  return (node.childForFieldName("name") ?? node).text;
}

/** Under `if TYPE_CHECKING:` an import is for the reader of types alone. */
function isForTypes(node: SyntaxNode): boolean {
  for (let at = node.parent; at; at = at.parent) {
    const condition = at.type === "if_statement" ? at.childForFieldName("condition") : null;
    if (condition && /(?:^|\.)TYPE_CHECKING$/.test(condition.text)) return true;
  }
  return false;
}

function definedIn(node: SyntaxNode): string[] {
  if (node.type === "function_definition" || node.type === "class_definition") {
    return [node.childForFieldName("name")?.text ?? ""];
  }
  const [assignment] = node.type === "expression_statement" ? present(node.namedChildren) : [];
  const left = assignment?.type === "assignment" ? assignment.childForFieldName("left") : null;
  if (!left) return [];
  const names = left.type === "identifier" ? [left] : present(left.namedChildren);
  return names.filter(({ type }) => type === "identifier").map(({ text }) => text);
}
