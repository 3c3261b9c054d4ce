import type { ExportFact, GapFact, ModuleInfo, Request, StarFact } from "../modules/facts.ts";
import { NO_FACTS } from "../modules/facts.ts";
import { columnOf, lineOf, present, withTree } from "./grammars.ts";
import type { SyntaxNode } from "./grammars.ts";

const IMPORTS = ["import_statement", "import_from_statement"];
const LOADERS = /^(?:importlib\.)?(?:import_module|__import__)$/;
const MAX_TEXT = 200;
/** Statements in which a module may define names conditionally. */
const NESTING = /^(?:if|try|with|for|while|match|type_alias)_/;
const IDENTIFIER = /[^\W\d]\w*/gu;
const GLOBAL = /^[ \t]+global[ \t]+([\w, \t]+)/gm;
/** Patterns for modules that define names dynamically, and so may have any name. */
const OPEN = /\bdef __getattr__\b|\bglobals\(\)|\bvars\(\)|\bexec\(|\bsys\.modules\[/;
const MAX_BOUND = 2000;

/** The modules, imports and names of a Python file. */
export async function parsePython(path: string, text: string): Promise<ModuleInfo> {
  const lines = text.split("\n").length;
  const facts = await withTree("python", text, (root) => new PythonReader(path, text).read(root));
  return facts ? { ...facts, lines } : { ...NO_FACTS, lines, state: "failed" };
}

class PythonReader {
  readonly #isPackage: boolean;
  readonly #text: string;
  readonly #requests: Request[] = [];
  readonly #exports: ExportFact[] = [];
  readonly #stars: StarFact[] = [];
  readonly #gaps: GapFact[] = [];
  readonly #bound = new Set<string>();

  constructor(path: string, text: string) {
    this.#text = text;
    this.#isPackage = /(?:^|\/)__init__\.pyi?$/.test(path);
  }

  read(root: SyntaxNode): Omit<ModuleInfo, "lines"> {
    for (const node of present(root.descendantsOfType(IMPORTS))) {
      if (node.type === "import_statement") this.#readImport(node);
      else this.#readFrom(node);
    }
    for (const node of present(root.descendantsOfType(["call"]))) this.#readCall(node);
    for (const node of present(root.namedChildren)) {
      if (NESTING.test(node.type)) this.#bind(node.text.match(IDENTIFIER) ?? []);
      else this.#readDefinition(node);
    }
    for (const [, names = ""] of this.#text.matchAll(GLOBAL)) this.#bind(names.split(/[\s,]+/));
    const isOpen = this.#bound.size > MAX_BOUND || OPEN.test(this.#text);
    if (root.hasError) {
      const detail = "the file does not parse";
      this.#gaps.push({ kind: "syntax", line: 1, text: "syntax error", detail });
    }
    return {
      state: root.hasError ? "partial" : "parsed",
      hasExports: !root.hasError && !isOpen,
      requests: this.#requests,
      exports: this.#exports,
      ...(!isOpen && this.#bound.size > 0 && { bound: [...this.#bound].toSorted() }),
      stars: this.#stars,
      gaps: this.#gaps,
    };
  }

  #readImport(node: SyntaxNode): void {
    for (const name of present(node.childrenForFieldName("name"))) {
      this.#request(node, dottedName(name), ["*"]);
      // `import a.b` also runs and binds `a`.
      const [first = ""] = dottedName(name).split(".");
      const isInside = first !== dottedName(name) && aliasOf(name) === undefined;
      if (isInside) this.#request(node, first, ["*"], true);
      this.#bind([aliasOf(name) ?? dottedName(name).replace(/\..*/s, "")]);
    }
  }

  #bind(names: Iterable<string>): void {
    for (const name of names) if (this.#bound.size <= MAX_BOUND) this.#bound.add(name);
  }

  /** `from x import y` imports a name of `x`, or the module `x.y`. */
  #readFrom(node: SyntaxNode): void {
    const module = node.childForFieldName("module_name")?.text.replaceAll(/\s/g, "") ?? "";
    const taken = present(node.childrenForFieldName("name"));
    const isAll = present(node.namedChildren).some(({ type }) => type === "wildcard_import");
    const from = this.#request(node, module, isAll ? ["*"] : taken.map(dottedName));
    if (isAll) this.#stars.push({ from, line: lineOf(node), typeOnly: false });
    for (const name of taken) {
      const separator = module.endsWith(".") ? "" : ".";
      const orModule = this.#request(node, module + separator + dottedName(name), ["*"], true);
      const alias = aliasOf(name) ?? dottedName(name);
      if (!this.#isPackage || node.parent?.type !== "module") {
        this.#bind([alias]);
        continue;
      }
      const fact = { name: alias, line: lineOf(node), typeOnly: false };
      this.#exports.push({ ...fact, from, imported: dottedName(name), orModule });
    }
  }

  #readCall(node: SyntaxNode): void {
    if (!LOADERS.test(node.childForFieldName("function")?.text ?? "")) return;
    const [argument] = present(node.childForFieldName("arguments")?.namedChildren ?? []);
    const literal = /^(["'])([\w.]+)\1$/.exec(argument?.text ?? "")?.[2];
    if (literal !== undefined) this.#request(node, literal, ["*"], false, "dynamic");
    else {
      const detail = "the loaded file is known only at run time";
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

function dottedName(node: SyntaxNode): string {
  return (node.childForFieldName("name") ?? node).text;
}

const aliasOf = (node: SyntaxNode): string | undefined => node.childForFieldName("alias")?.text;

/** An import below `if TYPE_CHECKING:` is only for types. */
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
  const [statement] = node.type === "expression_statement" ? present(node.namedChildren) : [];
  const names: string[] = [];
  // In `a = b = 1` the second assignment is the right side of the first.
  let assignment: SyntaxNode | null = statement ?? null;
  while (assignment?.type === "assignment") {
    const left = assignment.childForFieldName("left");
    if (left) names.push(...boundNames(left));
    assignment = assignment.childForFieldName("right");
  }
  return names;
}

const PATTERN = /^(?:pattern_list|tuple_pattern|list_pattern|list_splat_pattern)$/;

function boundNames(left: SyntaxNode): string[] {
  if (left.type === "identifier") return [left.text];
  return PATTERN.test(left.type) ? present(left.namedChildren).flatMap(boundNames) : [];
}
