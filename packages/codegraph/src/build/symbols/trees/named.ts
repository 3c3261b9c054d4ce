import type { NamedLanguage } from "../../../graph/index.ts";
import { present } from "../../languages/grammars.ts";
import type { SyntaxNode } from "../../languages/grammars.ts";
import { NAMED_GRAMMARS, declaredName } from "../../languages/named-grammars.ts";
import { addWords } from "../facts/words.ts";
import { OP, SITE_FLAG } from "../facts/ops.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";
import { TreeWalk, declarationText } from "./tree-walk.ts";

const CAPITAL = /^\p{Lu}/u;
const TYPE = /^(?:type_identifier|constant)$/;
/** Calls in Ruby need no brackets. */
const CALL = /^(?:call|method_call|command_call)$/;
/** A file with more names is data, not code. */
const MAX_SITES = 200_000;

/** Extracts the symbols of a file, and the names that it calls or uses as types. */
export function extractNamed(
  root: SyntaxNode,
  path: string,
  language: NamedLanguage,
): FileSymbolData {
  return new NamedWalk(root, path, language).run();
}

class NamedWalk {
  readonly #walk: TreeWalk;
  readonly #root: SyntaxNode;
  readonly #text: string;
  readonly #grammar: (typeof NAMED_GRAMMARS)[NamedLanguage];
  readonly #declared = new Map<number, number>();
  readonly #offered = new Set<string>();
  #sites = 0;

  constructor(root: SyntaxNode, path: string, language: NamedLanguage) {
    this.#walk = new TreeWalk(path, root);
    this.#root = root;
    this.#text = root.text;
    this.#grammar = NAMED_GRAMMARS[language];
  }

  run(): FileSymbolData {
    this.#visit(this.#root);
    // Every word is recorded, because it may name a symbol of a file in another language.
    addWords(this.#walk.writer, this.#text);
    return this.#walk.finish();
  }

  #visit(node: SyntaxNode): void {
    this.#walk.deeper(() => {
      const symbol = this.#declare(node);
      if (symbol === undefined) this.#children(node);
      else this.#walk.inside(symbol, () => this.#children(node));
      return 0;
    });
  }

  #children(node: SyntaxNode): void {
    for (const child of present(node.namedChildren)) {
      if (this.#grammar.names.has(child.type)) this.#use(child, node);
      this.#visit(child);
    }
  }

  #declare(node: SyntaxNode): number | undefined {
    const kind = this.#grammar.declares[node.type];
    const name = kind === undefined ? undefined : declaredName(node, this.#grammar.names);
    if (kind === undefined || !name || this.#declared.has(name.startIndex)) return undefined;
    const body = node.childForFieldName("body") ?? undefined;
    const symbol = this.#walk.declare(name.text, kind, node, declarationText(node, body));
    this.#declared.set(name.startIndex, symbol);
    if (!this.#offered.has(name.text)) {
      this.#offered.add(name.text);
      const offered = this.#walk.symbolNode(symbol);
      if (this.#walk.symbol === 0) this.#walk.export(name.text, offered, name);
      else this.#walk.share(name.text, offered, name);
    }
    return symbol;
  }

  #use(name: SyntaxNode, parent: SyntaxNode): void {
    if (this.#declared.has(name.startIndex) || this.#sites >= MAX_SITES) return;
    const { text } = name;
    const isCall = this.#text[name.endIndex] === "(" || CALL.test(parent.type);
    if (!isCall && !TYPE.test(name.type) && !CAPITAL.test(text)) return;
    this.#sites += 1;
    const { writer } = this.#walk;
    const node = writer.node1(OP.global, writer.text(text));
    writer.unresolved(text, "value");
    this.#walk.site(node, name, isCall ? SITE_FLAG.call : 0);
  }
}
