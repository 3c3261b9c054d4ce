import type { Argument, CallExpression, Expression, NewExpression } from "oxc-parser";
import type { EntrypointKind } from "../../graph/index.ts";
import { literalText } from "../modules/literal-text.ts";
import type { EntrypointDraft, Extraction } from "../symbols/extract/extraction.ts";
import { OP } from "../symbols/facts/ops.ts";
import { SYMBOL } from "../symbols/facts/symbol-facts.ts";

/** The origin of a value: an export of a package or of another file. */
export interface Origin {
  readonly specifier: string;
  /** The exported name; `*` for the whole module. */
  readonly name: string;
}

const MAX_STEPS = 60;
const FIRST_ARGUMENT = 4;

/**
 * The node types whose first operand is closer to the start of an expression. The start of
 * `app.route("/x").get` is `app`.
 */
const INNER: ReadonlySet<number> = new Set([
  OP.local,
  OP.member,
  OP.call,
  OP.awaited,
  OP.element,
  OP.instance,
  OP.argument,
  OP.parameter,
  OP.returned,
  OP.narrowed,
]);

/** One call, as the framework recognisers see it. */
export class CallSite {
  readonly x: Extraction;
  readonly node: CallExpression | NewExpression;
  /** The name of the called method or function. */
  readonly name: string;
  /** The number of the call's node in the facts. */
  readonly call: number;

  constructor(x: Extraction, node: CallExpression | NewExpression, name: string, call: number) {
    this.x = x;
    this.node = node;
    this.name = name;
    this.call = call;
  }

  argument(place: number): Argument | undefined {
    return this.node.arguments.at(place);
  }

  /** The node of an argument in the facts. A negative position counts from the end. */
  argumentNode(place: number): number {
    const count = this.node.arguments.length;
    const from = place < 0 ? count + place : place;
    return from >= 0 && from < count ? this.x.writer.code[this.call + FIRST_ARGUMENT + from]! : 0;
  }

  text(place: number): string | undefined {
    return literalText(this.argument(place));
  }

  /** The expression before the method's dot. */
  get subject(): Expression | undefined {
    const { callee } = this.node;
    return callee.type === "MemberExpression" ? callee.object : undefined;
  }

  /** The node of the expression before the method. */
  get subjectNode(): number {
    const { code } = this.x.writer;
    const callee = code[this.call + 1]!;
    return this.subject && code[callee] === OP.member ? code[callee + 1]! : 0;
  }

  origin(): Origin | undefined {
    return findOrigin(this.x, this.x.writer.code[this.call + 1]!);
  }

  get line(): number {
    return this.x.lines.lineOf(this.node.start);
  }

  /** Registers an argument as a handler. A negative position counts from the end. */
  register(kind: EntrypointKind, name: string, framework: string, place: number): number {
    const node = this.argument(place);
    return this.handle({ kind, name, framework, handler: this.argumentNode(place) }, node?.start);
  }

  /** Registers a member of the object in the first argument as a handler. */
  registerMember(kind: EntrypointKind, name: string, framework: string, member: string): number {
    return this.handle({ kind, name, framework, handler: this.memberNode(member) });
  }

  handle(draft: Omit<EntrypointDraft, "line" | "offset">, offset = this.node.start): number {
    return this.x.entrypoint({ ...draft, line: this.line, offset });
  }

  memberNode(name: string): number {
    const { code } = this.x.writer;
    const object = this.argumentNode(0);
    if (code[object] !== OP.object) return 0;
    for (let place = 0; place < code[object + 1]!; place++) {
      const key = this.x.writer.textAt(code[object + 2 + 2 * place]!);
      if (key === name) return code[object + 3 + 2 * place]!;
    }
    return 0;
  }
}

/** The import that a value comes from, through calls, members and variables. */
function findOrigin(x: Extraction, start: number): Origin | undefined {
  const { code, tables } = x.writer;
  let node = start;
  for (let step = 0; step < MAX_STEPS && node > 0; step++) {
    const op = code[node]!;
    if (op === OP.imported)
      return { specifier: textAt(x, code[node + 1]!), name: textAt(x, code[node + 2]!) };
    if (op === OP.module) return { specifier: textAt(x, code[node + 1]!), name: "*" };
    if (op === OP.symbol) {
      const symbol = code[node + 1]!;
      node = symbol < 0 ? 0 : tables.symbols[symbol * SYMBOL_WIDTH + SYMBOL.type]!;
    } else if (op === OP.union) node = code[node + 2]!;
    else node = INNER.has(op) ? code[node + 1]! : 0;
  }
  return undefined;
}

const SYMBOL_WIDTH = Object.keys(SYMBOL).length;

const textAt = (x: Extraction, id: number): string => x.writer.textAt(id);
