import type { SyntaxNode } from "../../languages/grammars.ts";
import { OP } from "../facts/ops.ts";
import { PythonExpressions } from "./python-expressions.ts";
import { PythonFlow } from "./python-flow.ts";
import type { PythonTypes } from "./python-types.ts";
import { starredName } from "./python-names.ts";
import { children, field } from "./tree-walk.ts";
import type { TreeWalk } from "./tree-walk.ts";

/** The level of statements, which decides whether their names are symbols. */
export type Level = "module" | "class" | "function";

/** The functions that declare symbols, which the walk over statements calls. */
export interface Declarations {
  hoist(node: SyntaxNode, level: Level): void;
  /** The meaning of a name in the body of a class. Its methods do not see it. */
  member(name: string): number | undefined;
  decorated(node: SyntaxNode, level: Level): void;
  function(node: SyntaxNode, level: Level): void;
  class(node: SyntaxNode, level: Level): void;
  variable(name: SyntaxNode, at: SyntaxNode, held: number, level: "module" | "class"): void;
  property(name: SyntaxNode, at: SyntaxNode, self: number, held: number): void;
  /** Adds a value that a function assigns to a variable of the module. */
  global(variable: number, held: number): void;
  /** Whether the module declares a symbol only in some cases. */
  isConditional(symbol: number): boolean;
  routerPrefix(name: string, value: SyntaxNode | undefined): void;
}

const CALLABLE_TESTS = new Set(["isinstance", "issubclass"]);

/** Walks statements. */
export class PythonBody {
  readonly #x: TreeWalk;
  readonly #types: PythonTypes;
  readonly #declarations: Declarations;
  readonly #flow: PythonFlow;
  readonly #expressions: PythonExpressions;
  /** The types that the current function returns. */
  #returns: number[] = [];
  #level: Level = "module";

  constructor(x: TreeWalk, types: PythonTypes, declarations: Declarations) {
    this.#x = x;
    this.#types = types;
    this.#declarations = declarations;
    this.#flow = new PythonFlow(x);
    this.#expressions = new PythonExpressions(x, types, {
      assign: (target, held) => this.#assign(target, held, "function"),
      assignment: (node) => this.#assignment(node, "function"),
      block: (statements) => this.block(statements, "function"),
      clause: (node) => this.#parts([node], "function"),
      capturing: (walk) => this.capturing(walk),
      parameters: (list, self) => this.parameters(list, self),
      member: (name) => (this.#level === "class" ? declarations.member(name) : undefined),
      isConditional: (symbol) => declarations.isConditional(symbol),
    });
  }

  /** Walks a function. It may run after later assignments to variables of the outer scopes. */
  capturing(walk: () => void): void {
    this.#x.scoped(() => {
      this.#flow.capture();
      this.#x.scoped(walk);
    });
  }

  block(statements: readonly SyntaxNode[], level: Level): void {
    const outer = this.#level;
    this.#level = level;
    for (const node of statements) this.#declarations.hoist(node, level);
    for (const node of statements) this.#x.deeper(() => this.#statement(node, level));
    this.#level = outer;
  }

  /** Walks the body of a function and returns its result type, as far as known. */
  functionBody(body: SyntaxNode | undefined, owner: number): number {
    const inside = this.#expressions;
    const outer = [this.#returns, inside.yields, inside.owner] as const;
    [this.#returns, inside.yields] = [[], []];
    if (owner !== 0) inside.owner = owner;
    const statements = children(body);
    this.#flow.inFunction(statements, body?.text ?? "", () => this.block(statements, "function"));
    const { writer } = this.#x;
    const found =
      inside.yields.length > 0
        ? writer.node1(OP.array, writer.oneOf(inside.yields))
        : writer.oneOf(this.#returns);
    [this.#returns, inside.yields, inside.owner] = outer;
    return found;
  }

  /** Walks the default value of a parameter. */
  presetOf(part: SyntaxNode): void {
    this.expression(field(part, "value"));
  }

  /** Declares parameters. The first one of a method is `self`. */
  parameters(list: readonly SyntaxNode[], self: number): number[] {
    return list.flatMap((node, place) => {
      const name = parameterName(node);
      const declared = this.#types.node(field(node, "type"));
      const isSelf = self !== 0 && place === 0;
      const held = wrapped(this.#x, node, isSelf ? self : declared);
      this.#x.scopes.declareValue(name, this.#x.writer.node1(OP.local, held));
      return isSelf ? [] : [declared];
    });
  }

  #statement(node: SyntaxNode, level: Level): number {
    switch (node.type) {
      case "decorated_definition":
        this.#declarations.decorated(node, level);
        return 0;
      case "function_definition":
        this.#declarations.function(node, level);
        return 0;
      case "class_definition":
        this.#declarations.class(node, level);
        return 0;
      case "expression_statement":
        for (const part of children(node)) {
          if (part.type === "assignment") this.#assignment(part, level);
          else if (part.type === "augmented_assignment") this.#augmented(part);
          else this.expression(part);
        }
        return 0;
      case "return_statement":
        this.#returns.push(this.expression(children(node)[0]));
        return 0;
      case "type_alias_statement":
        return this.#alias(node);
      case "import_statement":
      case "import_from_statement":
        return 0;
      default:
        return this.#compound(node, level);
    }
  }

  /** Reads `type Pair[T: Item] = tuple[T, T]`. */
  #alias(node: SyntaxNode): number {
    const [name] = children(field(node, "left"));
    this.#x.scoped(() => {
      this.#types.parameters(children(name).find(({ type }) => type === "type_parameter"));
      this.#types.node(field(node, "right"));
    });
    return 0;
  }

  #compound(node: SyntaxNode, level: Level): number {
    switch (node.type) {
      case "if_statement":
      case "elif_clause":
        return this.#conditional(node, level);
      case "for_statement": {
        const list = this.expression(field(node, "right"));
        this.#flow.loop(node, () => {
          this.#assign(field(node, "left"), this.#expressions.element(list), "function");
          this.#blocks(node, level);
        });
        return 0;
      }
      case "while_statement":
        this.#flow.loop(node, () => void this.#parts(children(node), level));
        return 0;
      case "with_statement":
        return this.#with(node, level);
      case "match_statement":
        this.expression(field(node, "subject"));
        return this.#blocks(node, level);
      case "case_clause":
        return this.#case(node, level);
      default:
        return this.#parts(children(node), level);
    }
  }

  /** Unlike other blocks, the one of `with` always runs. */
  #with(node: SyntaxNode, level: Level): number {
    const outer = this.#expressions.entering;
    this.#expressions.entering = /^async\b/.test(node.text) ? "__aenter__" : "__enter__";
    for (const part of children(node)) {
      if (part.type === "block") this.block(children(part), level);
      else this.#parts([part], level);
    }
    this.#expressions.entering = outer;
    return 0;
  }

  /** Blocks do not have their own scope. */
  #parts(parts: readonly SyntaxNode[], level: Level): number {
    for (const part of parts) {
      if (part.type === "block") this.#flow.branch(() => this.block(children(part), level));
      else if (/_(?:clause|item)$/.test(part.type)) this.#compound(part, level);
      else this.expression(part);
    }
    return 0;
  }

  #blocks(node: SyntaxNode, level: Level): number {
    const inner = children(node).filter(({ type }) => type === "block" || type.endsWith("_clause"));
    return this.#parts(inner, level);
  }

  /** Narrows a name in a block after a test of its type. */
  #conditional(node: SyntaxNode, level: Level): number {
    const condition = field(node, "condition");
    this.expression(condition);
    const consequence = children(field(node, "consequence"));
    const narrowed = condition && this.#narrowed(condition);
    this.#flow.branch(() => {
      if (!narrowed) return this.block(consequence, level);
      return this.#x.scoped(() => {
        this.#x.scopes.declareValue(narrowed.name, narrowed.node);
        this.block(consequence, level);
      });
    });
    return this.#parts(
      children(node).filter(({ type }) => type === "elif_clause" || type === "else_clause"),
      level,
    );
  }

  #narrowed(condition: SyntaxNode): { name: string; node: number } | undefined {
    if (condition.type !== "call") return undefined;
    const [subject, type] = children(field(condition, "arguments"));
    const plain = subject?.type === "identifier" ? this.#x.scopes.value(subject.text) : undefined;
    if (plain === undefined || this.#x.writer.code[plain] !== OP.local || !subject)
      return undefined;
    const { writer } = this.#x;
    const test = field(condition, "function");
    if (!CALLABLE_TESTS.has(test?.text ?? "")) {
      const guard = this.#found(test);
      if (guard === 0) return undefined;
      const node = writer.node2(OP.narrowed, plain, writer.node1(OP.guarded, guard));
      return { name: subject.text, node };
    }
    const held = writer.oneOf(classesIn(type).map((each) => this.#x.instance(this.#found(each))));
    // An unknown class says that the value may have another type.
    const node = held === 0 ? writer.oneOf([plain, 0]) : writer.node2(OP.narrowed, plain, held);
    return { name: subject.text, node: writer.node1(OP.local, node) };
  }

  /**
   * The value of a name such as `a` or `a.b.c`. Its uses are not recorded here, because the name is
   * walked elsewhere.
   */
  #found(node: SyntaxNode | undefined): number {
    if (!node) return 0;
    const known = this.#x.scopes.value(node.text);
    if (known !== undefined) return known;
    if (node.type === "identifier") return starredName(this.#x.writer, node.text) ?? 0;
    const name = node.type === "attribute" ? field(node, "attribute") : undefined;
    const owner = name ? this.#found(field(node, "object")) : 0;
    return owner === 0 ? 0 : this.#x.member(owner, name?.text ?? "");
  }

  #case(node: SyntaxNode, level: Level): number {
    for (const part of children(node)) {
      if (part.type === "case_pattern") this.#pattern(part);
      else if (part.type === "block") this.#flow.branch(() => this.block(children(part), level));
      else this.expression(part);
    }
    return 0;
  }

  /** `case Point(x=0)` uses Point. A plain name is declared; a name with a dot is used. */
  #pattern(node: SyntaxNode): void {
    const parts = children(node);
    if (node.type === "class_pattern") {
      if (parts[0]) this.#dotted(parts[0]);
      parts.slice(1).forEach((part) => this.#pattern(part));
    } else if (node.type === "dotted_name") {
      if (parts.length > 1) this.#dotted(node);
    } else if (node.type === "keyword_pattern") {
      parts.slice(1).forEach((part) => this.#pattern(part));
    } else if (node.type !== "identifier") parts.forEach((part) => this.#pattern(part));
  }

  #dotted(node: SyntaxNode): number {
    const [first, ...rest] = children(node);
    let found = first ? this.#expressions.name(first.text, first, 0) : 0;
    for (const part of rest) {
      found = this.#x.member(found, part.text);
      this.#x.site(found, part, 0);
    }
    return found;
  }

  /** In `a = b = value` the second assignment is the right side of the first. */
  #assignment(node: SyntaxNode, level: Level): number {
    const left = field(node, "left");
    const right = field(node, "right");
    const type = field(node, "type");
    const declared = this.#types.node(type);
    if (/(?:^|\.)TypeAlias$/.test(type?.text ?? "")) this.#types.strings(right);
    const isSame = left?.type === "identifier" && left.text === right?.text;
    const evaluated = (): number =>
      right?.type === "assignment" ? this.#assignment(right, level) : this.expression(right);
    const value = isSame ? this.beforeDeclaring(left.text, evaluated) : evaluated();
    if (left?.type === "identifier") this.#declarations.routerPrefix(left.text, right);
    this.#assign(left, type ? declared : value, level, node);
    return value;
  }

  /** After `name += value`, the variable may also have the value, or the result of an operator. */
  #augmented(node: SyntaxNode): void {
    const left = field(node, "left");
    const held = this.expression(left);
    const added = this.expression(field(node, "right"));
    if (left?.type !== "identifier" || this.#isPlain(held) || this.#isPlain(added)) return;
    const { writer } = this.#x;
    const isList = writer.code[added] === OP.array || writer.code[added] === OP.tuple;
    const value = writer.oneOf(isList ? [held, added] : [held, added, 0]);
    if (!this.#flow.assign(left.text, value)) this.#declarations.global(held, value);
  }

  /** Whether a value is known to be a string or number. */
  #isPlain(node: number): boolean {
    const { code } = this.#x.writer;
    if (code[node] === OP.local) return this.#isPlain(code[node + 1]!);
    if (code[node] === OP.literal) return true;
    if (code[node] !== OP.union) return false;
    return code.slice(node + 2, node + 2 + code[node + 1]!).every((part) => this.#isPlain(part));
  }

  #assign(
    target: SyntaxNode | undefined,
    held: number,
    level: Level,
    at: SyntaxNode | undefined = target,
  ): void {
    if (!target) return;
    if (target.type === "identifier") return this.#assignName(target, held, level, at ?? target);
    if (target.type === "attribute" && this.#assignProperty(target, held, at ?? target)) return;
    const parts = children(target);
    if (target.type === "attribute" || target.type === "subscript") {
      this.expression(target);
      return;
    }
    for (const [place, part] of parts.entries()) {
      const own = held === 0 ? 0 : this.#x.writer.node2(OP.element, held, place);
      this.#assign(part, own, level);
    }
  }

  #assignName(name: SyntaxNode, held: number, level: Level, at: SyntaxNode): void {
    if (level !== "function") return this.#declarations.variable(name, at, held, level);
    if (this.#flow.assign(name.text, held)) return;
    const known = this.#x.scopes.value(name.text);
    const isOwn = known === undefined || this.#x.writer.code[known] === OP.local;
    if (isOwn) this.#x.scopes.declareValue(name.text, this.#x.writer.node1(OP.local, held));
    // The name is one that the function declares as global.
    else {
      this.#x.site(known, name, 0);
      this.#declarations.global(known, held);
    }
  }

  #assignProperty(target: SyntaxNode, held: number, at: SyntaxNode): boolean {
    const object = field(target, "object");
    const name = field(target, "attribute");
    const known = object?.type === "identifier" ? this.#x.scopes.value(object.text) : undefined;
    const { code } = this.#x.writer;
    if (known === undefined || !name || code[known] !== OP.local) return false;
    const self = code[known + 1]!;
    if (self === 0 || code[self] !== OP.self) return false;
    this.#declarations.property(name, at, self, held);
    return true;
  }

  /** Walks the expressions that run before a statement declares its name. */
  beforeDeclaring<Result>(name: string, walk: () => Result): Result {
    const outer = this.#expressions.declaring;
    this.#expressions.declaring = name;
    const result = walk();
    this.#expressions.declaring = outer;
    return result;
  }

  expression(node: SyntaxNode | undefined, flags = 0): number {
    return this.#expressions.walk(node, flags);
  }
}

/** The classes of `isinstance(value, (A, B | C))`. */
function classesIn(node: SyntaxNode | undefined): SyntaxNode[] {
  if (!node) return [];
  const isList = node.type === "tuple" || node.type === "binary_operator";
  return isList ? children(node).flatMap(classesIn) : [node];
}

function parameterName(node: SyntaxNode): string {
  const name = field(node, "name") ?? (node.type === "identifier" ? node : children(node)[0]);
  return (name?.type === "identifier" ? name : children(name)[0])?.text ?? node.text;
}

/** `*args` is a list of its declared type. */
function wrapped(x: TreeWalk, node: SyntaxNode, held: number): number {
  const first = node.type === "typed_parameter" ? children(node)[0]?.type : node.type;
  if (first === "list_splat_pattern") return x.writer.node1(OP.array, held);
  return first === "dictionary_splat_pattern" ? 0 : held;
}
