/** The type of a value, as far as declared. `undefined` means unknown. */
export const KIND = {
  /** An instance of a class, interface or enum. */
  instance: 0,
  /** A class, enum or namespace itself. */
  value: 1,
  func: 2,
  object: 3,
  module: 4,
  union: 5,
  tuple: 6,
  /** A type parameter without a known argument. */
  parameter: 7,
  literal: 8,
  /** A type argument that was not evaluated yet. */
  later: 9,
} as const;

/** The type arguments, innermost first. */
export interface Env {
  readonly key: number;
  readonly type: Type | undefined;
  readonly next: Env | undefined;
}

/** The key of `this` in an Env. */
export const SELF = -1;

/** A node key is the number of the file times this, plus the node. No file has more nodes. */
const NODES_PER_FILE = 2 ** 27;

export function typeKey(file: number, node: number): number {
  return file * NODES_PER_FILE + node;
}

/** Names a type in a search that does not depend on type arguments. */
export function visitKey(type: Type): unknown {
  const { kind, file, id } = type;
  if (kind === KIND.instance) return typeKey(file, id);
  return kind === KIND.value ? -typeKey(file, id) - 1 : type;
}

export function bind(env: Env | undefined, key: number, type: Type | undefined): Env {
  return { key, type, next: env };
}

export function bound(env: Env | undefined, key: number): Env | undefined {
  for (let entry = env; entry; entry = entry.next) if (entry.key === key) return entry;
  return undefined;
}

export class Type {
  readonly kind: number;
  readonly file: number;
  /** The symbol of an instance or value; the node for other kinds. */
  readonly id: number;
  readonly args: readonly (Type | undefined)[];
  readonly env: Env | undefined;
  /** The symbol of a function, in its file. */
  readonly symbol: number;
  /** Whether the value may also be something unknown. */
  readonly isOpen: boolean;

  constructor(
    kind: number,
    file: number,
    id: number,
    args: readonly (Type | undefined)[] = NO_TYPES,
    env?: Env,
    symbol = -1,
    isOpen = false,
  ) {
    this.kind = kind;
    this.file = file;
    this.id = id;
    this.args = args;
    this.env = env;
    this.symbol = symbol;
    this.isOpen = isOpen;
  }
}

/** A copy of the type that says that the value may also have an unknown type. */
export function opened(type: Type | undefined): Type | undefined {
  if (!type || type.isOpen) return type;
  const { kind, file, id, args, env, symbol } = type;
  return new Type(kind, file, id, args, env, symbol, true);
}

const NO_TYPES: readonly (Type | undefined)[] = [];

const MAX_PARTS = 12;

/** A union. It only records whether some of its parts are unknown. */
export function makeUnion(parts: readonly (Type | undefined)[]): Type | undefined {
  const found = unionOfKnown(parts);
  const isOpen = parts.some((part) => !part || part.isOpen) || found?.args.length === MAX_PARTS;
  return isOpen ? opened(found) : found;
}

function unionOfKnown(parts: readonly (Type | undefined)[]): Type | undefined {
  const flat: Type[] = [];
  for (const part of parts) {
    if (!part || part.kind === KIND.literal) continue;
    for (const one of part.kind === KIND.union ? part.args : [part]) {
      if (one && flat.length < MAX_PARTS && !flat.some((other) => isSameType(other, one)))
        flat.push(one);
    }
  }
  if (flat.length === 0) return parts.find((part) => part !== undefined);
  return flat.length === 1 ? flat[0] : new Type(KIND.union, 0, 0, flat);
}

function isSameType(a: Type, b: Type): boolean {
  if (a.kind !== b.kind || a.file !== b.file || a.id !== b.id || a.env !== b.env) return false;
  return a.args === b.args || (a.args.length === 0 && b.args.length === 0);
}

export function unionParts(type: Type): readonly (Type | undefined)[] {
  return type.kind === KIND.union ? type.args : [type];
}
