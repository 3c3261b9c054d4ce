import type { SyntaxNode } from "../../languages/grammars.ts";
import { isPredeclared, packageName } from "../../languages/go-names.ts";
import { OP } from "../facts/ops.ts";
import { children, field, stringNodeText } from "./tree-walk.ts";
import type { TreeWalk } from "./tree-walk.ts";

/** Resolves names in a Go file. */
export class GoScope {
  readonly x: TreeWalk;
  /** The import paths of the file. */
  readonly imports = new Set<string>();
  /** The name of the file's own package in its requests. */
  readonly #package: string;

  constructor(x: TreeWalk, ownPackage: string) {
    this.x = x;
    this.#package = ownPackage;
  }

  /** A name that is not declared here belongs to the package, if it is not predeclared. */
  named(name: string): number | undefined {
    const { writer, scopes } = this.x;
    const found = scopes.value(name);
    if (found !== undefined || isPredeclared(name)) return found;
    return writer.node2(OP.imported, writer.text(this.#package), writer.text(name));
  }

  /** Declares a variable, parameter or type parameter of a function. */
  declare(name: string, held: number): number {
    const variable = this.x.writer.node1(OP.local, held);
    this.x.scopes.declareValue(name, variable);
    return variable;
  }

  import(spec: SyntaxNode): void {
    const { writer, scopes } = this.x;
    const path = stringNodeText(field(spec, "path")) ?? "";
    this.imports.add(path);
    const name = field(spec, "name")?.text ?? packageName(path);
    if (name === ".") writer.tables.stars.push(writer.text(path));
    else scopes.declareValue(name, writer.node1(OP.module, writer.text(path)));
  }
}

/** The specs of a declaration, with or without brackets. */
export function specsIn(node: SyntaxNode, types: readonly string[]): SyntaxNode[] {
  return children(node).flatMap((part) =>
    types.includes(part.type) ? [part] : part.type.endsWith("_list") ? specsIn(part, types) : [],
  );
}
