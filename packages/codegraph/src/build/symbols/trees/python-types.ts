import { SYMBOL_KINDS } from "../../../graph/index.ts";
import type { SyntaxNode } from "../../languages/grammars.ts";
import { columnOf, lineOf } from "../../languages/grammars.ts";
import { OP, SITE_FLAG } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import { isPythonBuiltin, PLAIN_TYPES } from "./python-builtins.ts";
import { starredName } from "./python-names.ts";
import { children } from "./tree-walk.ts";
import type { TreeWalk } from "./tree-walk.ts";

const LISTS =
  /^(?:typing\.|typing_extensions\.|collections\.(?:abc\.)?)?(?:list|List|set|Set|tuple|Tuple|Sequence|MutableSequence|Iterable|Iterator|Collection|frozenset|FrozenSet|deque|Deque|AsyncIterator|AsyncIterable|Generator|AsyncGenerator)$/;
const MAPS =
  /^(?:typing\.|typing_extensions\.|collections\.(?:abc\.)?)?(?:dict|Dict|Mapping|MutableMapping|defaultdict|DefaultDict|OrderedDict)$/;
const WRAPPERS =
  /^(?:typing\.|typing_extensions\.|collections\.abc\.)?(?:Optional|Union|Final|ClassVar|Awaitable|Required|NotRequired|ReadOnly)$/;
const CLASSES = /^(?:typing\.)?(?:Type|type)$/;
const CALLABLES = /^(?:typing\.|collections\.abc\.)?Callable$/;
const COROUTINES = /^(?:typing\.|collections\.abc\.)?Coroutine$/;
const GUARDS = /^(?:(?:typing|typing_extensions)\.)?(?:TypeGuard|TypeIs)$/;
/** A value of this type may be an instance of any class. */
const ANYTHING = /^(?:(?:typing\.|typing_extensions\.)?Any|object)$/;
/** Matches names that are written like a class, not like a constant. */
const CLASS_NAME = /(?:^|\.)_*[A-Z]\w*[a-z]\w*$/;
const TYPE_COMMENT = /#\s*type:\s*(?!ignore\b)(.+)$/gmu;
/** Nodes that can contain parts of a type. */
const HOLDERS = new Set(["list", "tuple", "dictionary", "pair", "binary_operator"]);
/** The number of names in an import node: a module, or a module and one of its names. */
const OWNED: ReadonlyMap<number, number> = new Map([
  [OP.module, 1],
  [OP.imported, 2],
]);
const NAME = /[^\W\d]\w*(?:\.[^\W\d]\w*)*/gu;

/** Reads type annotations and records the names that they use. */
export class PythonTypes {
  readonly #x: TreeWalk;
  /** Walks an expression inside a type, as in `Annotated[Session, Depends(open)]`. */
  readonly #walk: (node: SyntaxNode) => number;

  constructor(x: TreeWalk, walk: (node: SyntaxNode) => number) {
    this.#x = x;
    this.#walk = walk;
  }

  /** The node of an annotation. */
  node(node: SyntaxNode | undefined): number {
    return node ? this.#x.deeper(() => this.#node(node)) : 0;
  }

  #node(node: SyntaxNode): number {
    const { writer } = this.#x;
    if (node.type !== "type" && ANYTHING.test(this.fullName(node.text))) {
      this.#walk(node);
      return 0;
    }
    switch (node.type) {
      case "type":
      case "parenthesized_expression":
        return this.node(children(node)[0]);
      case "identifier":
        return this.#named(node.text, node);
      case "none":
        return writer.node1(OP.literal, 3);
      case "string":
        return this.#quoted(node);
      case "generic_type":
      case "subscript":
        return this.#generic(node);
      case "attribute":
      case "member_type":
        return this.#x.instance(this.#walk(node));
      case "binary_operator":
      case "union_type":
        return writer.oneOf(children(node).map((part) => this.node(part)));
      case "list":
      case "tuple":
        for (const part of children(node)) this.node(part);
        return 0;
      default:
        // Walks every other expression, because it may contain names.
        this.#walk(node);
        return 0;
    }
  }

  /** `[T: Bound]` declares T and uses Bound. */
  parameters(list: SyntaxNode | undefined): void {
    for (const part of children(list)) {
      const inner = part.type === "type" ? children(part)[0] : part;
      const [name, bound] = inner?.type === "constrained_type" ? children(inner) : [inner];
      if (name) this.#x.scopes.declareValue(name.text, this.#x.writer.node1(OP.local, 0));
      this.node(bound);
    }
  }

  /** Type comments may use any name: `# type: list[Item]`. */
  comments(text: string): void {
    for (const [, type = ""] of text.matchAll(TYPE_COMMENT)) {
      for (const [name] of type.matchAll(/[^\W\d]\w*/gu)) this.#x.writer.unresolved(name, "value");
    }
  }

  /** Strings in a possible type: `Callable[["Item"], None]`, `NewType("Id", "Item")`. */
  strings(node: SyntaxNode | undefined): void {
    if (node?.type === "string") this.#quoted(node);
    else if (node && HOLDERS.has(node.type)) {
      for (const part of children(node)) this.strings(part);
    }
  }

  /**
   * Whether an expression with brackets is a type: `Union[…]`, or `Page[…]` if `Page` is a class of
   * the tree.
   */
  isGeneric(text: string): boolean {
    const full = this.fullName(text);
    const isKnown = [LISTS, MAPS, WRAPPERS, CLASSES, CALLABLES, COROUTINES].some((each) =>
      each.test(full),
    );
    return isKnown || CLASS_NAME.test(text) || this.#isOwnClass(text);
  }

  /** Whether a function with this result tests the type of its argument. */
  isGuard(result: SyntaxNode | undefined): boolean {
    return GUARDS.test(this.fullName(result?.text.replace(/\[[\s\S]*$/u, "") ?? ""));
  }

  #isOwnClass(name: string): boolean {
    const { scopes, writer } = this.#x;
    const known = scopes.value(name);
    if (known === undefined || writer.code[known] !== OP.symbol) return false;
    const kind = writer.get("symbols", writer.code[known + 1]!, SYMBOL.kind);
    return SYMBOL_KINDS[kind] === "class";
  }

  #named(name: string, at: SyntaxNode): number {
    const { scopes, writer } = this.#x;
    if (scopes.value(name) === undefined) {
      if (PLAIN_TYPES.has(name)) return writer.node1(OP.literal, 0);
      if (LISTS.test(name)) return writer.node1(OP.array, 0);
    }
    const found = this.#find(name);
    if (found === undefined || writer.code[found] === OP.local) return 0;
    this.#x.site(found, at, SITE_FLAG.typeOnly);
    return this.#x.instance(found);
  }

  /** Resolves a name. A name without a declaration may belong to any file. */
  #find(name: string): number | undefined {
    const { scopes, writer } = this.#x;
    const declared = scopes.value(name);
    if (declared !== undefined) return declared;
    const starred = starredName(writer, name);
    if (starred === undefined && !isPythonBuiltin(name)) writer.unresolved(name, "value");
    return starred;
  }

  /** `"list[Item]"` uses Item. Only a plain name gives the type. */
  #quoted(node: SyntaxNode): number {
    const content = children(node).find(({ type }) => type === "string_content");
    if (!content || content.text.includes("\n")) return 0;
    let only = 0;
    for (const { 0: name, index } of content.text.matchAll(NAME)) {
      const found = this.#namedAt(name, lineOf(content), columnOf(content) + index);
      if (name === content.text.trim()) only = this.#x.instance(found);
    }
    return only;
  }

  #namedAt(name: string, line: number, column: number): number {
    const { scopes, writer } = this.#x;
    const [first = "", ...rest] = name.split(".");
    let node = scopes.value(name) ?? this.#find(first);
    if (node === undefined || writer.code[node] === OP.local) return 0;
    let place = column;
    if (rest.length > 0 && scopes.value(name) === undefined) {
      // Every part names something: `"Outer.Inner"` uses both.
      for (const [index, part] of rest.entries()) {
        this.#x.siteAt(node, line, place, SITE_FLAG.typeOnly);
        place += (index === 0 ? first : rest[index - 1]!).length + 1;
        node = this.#x.member(node, part);
      }
    } else place += name.length - (rest.at(-1) ?? first).length;
    this.#x.siteAt(node, line, place, SITE_FLAG.typeOnly);
    return node;
  }

  /** `list[X]` has elements of X; `Optional[X]` is X or None. */
  #generic(node: SyntaxNode): number {
    const { writer } = this.#x;
    const [name, ...rest] = children(node);
    const text = this.fullName(name?.text ?? "");
    const parts = rest.flatMap((part) =>
      part.type === "type_parameter" ? children(part) : [part],
    );
    if (/(?:^|\.)Literal$/.test(text)) return this.#literal(parts);
    if (CLASSES.test(text)) return this.#classOf(parts[0]);
    if (/(?:^|\.)Annotated$/.test(text)) return this.#annotated(parts);
    const types = parts.map((part) => this.node(part));
    if (LISTS.test(text)) return writer.node1(OP.array, writer.oneOf(listedTypes(text, types)));
    if (MAPS.test(text)) return this.#map(types);
    if (CALLABLES.test(text)) return this.#x.func([], types.at(-1) ?? 0);
    if (COROUTINES.test(text)) return types.at(-1) ?? 0;
    if (/Final$|ClassVar$/.test(text) || GUARDS.test(text)) return types[0] ?? 0;
    return WRAPPERS.test(text) ? writer.oneOf(types) : this.#withArguments(this.node(name), types);
  }

  /** A type of a package with type arguments can hold values of the tree. */
  #withArguments(type: number, types: readonly number[]): number {
    const { code } = this.#x.writer;
    if (code[type] !== OP.instance || types.every((each) => each === 0)) return type;
    return code.push(OP.instance, code[type + 1]!, types.length, ...types) - 3 - types.length;
  }

  /** A name as its module calls it: `ty.List` after `import typing as ty` is `typing.List`. */
  fullName(text: string): string {
    const { scopes, writer } = this.#x;
    const [first = "", ...rest] = text.split(".");
    const known = scopes.value(first);
    if (known === undefined) return text;
    const parts = OWNED.get(writer.code[known]!) ?? 0;
    const names = writer.code.slice(known + 1, known + 1 + parts).map((id) => writer.textAt(id));
    return parts === 0 ? text : [...names, ...rest].join(".");
  }

  /** `Literal["a", Color.RED]` uses Color, because a value of an enum names its enum. */
  #literal(parts: readonly SyntaxNode[]): number {
    const { writer } = this.#x;
    const values = parts.map((part) => (part.type === "type" ? (children(part)[0] ?? part) : part));
    const named = values.filter(({ type }) => type === "attribute");
    for (const part of values) this.#walk(part);
    return named.length === 0 ? writer.node1(OP.literal, 0) : 0;
  }

  /** In `Annotated[Session, Depends(open)]` only the first part is a type. */
  #annotated([type, ...rest]: readonly SyntaxNode[]): number {
    for (const part of rest) this.#walk(part.type === "type" ? (children(part)[0] ?? part) : part);
    return this.node(type);
  }

  #classOf(part: SyntaxNode | undefined): number {
    const inner = part?.type === "type" ? children(part)[0] : part;
    if (inner?.type !== "identifier") return this.node(inner) && 0;
    const found = this.#find(inner.text) ?? 0;
    this.#x.site(found, inner, SITE_FLAG.typeOnly);
    return found;
  }

  #map(types: readonly number[]): number {
    const { writer } = this.#x;
    const name = writer.node1(OP.global, writer.text("PyDict"));
    return writer.code.push(OP.instance, name, 2, types[0] ?? 0, types[1] ?? 0) - 5;
  }
}

/** A generator is a list of the values that it yields. */
function listedTypes(name: string, types: readonly number[]): readonly number[] {
  return name.endsWith("Generator") ? types.slice(0, 1) : types;
}
