/**
 * A small language that describes the expressions and types of a file. A node is a few numbers in
 * `SymbolFacts.code`. Its id is the index where it starts, and 0 means unknown. Values and types
 * share the language: `typeof x` is the node of `x`. The comment of each op lists its
 * operands in order, then the meaning of the node.
 */
export const OP = {
  unknown: 0,
  /** Operands: symbol of this file. */
  symbol: 1,
  /** Operands: specifier, exported name. */
  imported: 2,
  /** Operands: specifier. The whole module. */
  module: 3,
  /** Operands: node. A variable that is not a symbol, with its value. */
  local: 4,
  /** Operands: name. Not declared in the file. */
  global: 5,
  /** Operands: class symbol, 1 if `this` is the class itself. */
  self: 6,
  /** Operands: class symbol, 1 if `super` is the class itself. */
  parent: 7,
  /** Operands: node, name. */
  member: 8,
  /**
   * Operands: callee, 1 for `new`, number of arguments, arguments…, number of type arguments,
   * type arguments…
   */
  call: 9,
  /** Operands: node. */
  awaited: 10,
  /** Operands: node, index (or -1 for any, or INDEXED). The result of iterating or indexing it. */
  element: 11,
  /** Operands: flags, return, type parameter list, number of parameters, parameters… */
  func: 12,
  /** Operands: number of members, (name, node)…, number of spreads, nodes… */
  object: 13,
  /** Operands: count, nodes…: Any one of them. */
  union: 14,
  /** Operands: node of the element. */
  array: 15,
  /** Operands: count, nodes… */
  tuple: 16,
  /** Operands: named type, count, type arguments…: An instance of the type. */
  instance: 17,
  /** Operands: constraint, default. A type parameter, identified by the number of this node. */
  typeParameter: 18,
  /** Operands: call, index. The expected type of an argument. */
  argument: 19,
  /** Operands: function, index. The declared type of a parameter. */
  parameter: 20,
  /** Operands: function. Its return type. */
  returned: 21,
  /** Operands: count, nodes… */
  list: 22,
  /** Operand: the kind of literal. 0 is a string, 1 a number, 2 a boolean, 3 null or undefined. */
  literal: 23,
  /** Operands: count, nodes…: All of them together. */
  intersection: 24,
  /** Operands: class value. The result of `new`. */
  constructed: 25,
  /** Operands: node, node. The first, narrowed by a test to the second. */
  narrowed: 26,
  /** Operands: function. The type that a type guard asserts. */
  guarded: 27,
} as const;

/** As the index of an element: the result of `x[i]`; for a map, its value. */
export const INDEXED = -2;

export const FUNC_FLAG = { construct: 1, rest: 2, guard: 4 } as const;
/** The bits above a function's flags are the number of its required arguments. */
export const REQUIRED_SHIFT = 8;

/** `oneSpace`: a class whose instance members are also found on the class itself, as in Python. */
export const SYMBOL_FLAG = {
  exported: 1,
  static: 2,
  optional: 4,
  ambient: 8,
  oneSpace: 16,
} as const;

export const SITE_FLAG = {
  call: 1,
  construct: 2,
  typeOnly: 4,
  inherit: 8,
  register: 16,
  import: 32,
} as const;

/**
 * The operands of each op: `n` a node, `t` a string, `p` a plain number, `N` a count and that many
 * nodes, `M` a count and that many pairs of a string and a node.
 */
export const SHAPES: readonly string[] = Object.assign(
  Array.from<string>({ length: 28 }).fill(""),
  {
    [OP.symbol]: "p",
    [OP.imported]: "tt",
    [OP.module]: "t",
    [OP.local]: "n",
    [OP.global]: "t",
    [OP.self]: "pp",
    [OP.parent]: "pp",
    [OP.member]: "nt",
    [OP.call]: "npNN",
    [OP.awaited]: "n",
    [OP.element]: "np",
    [OP.func]: "pnnN",
    [OP.object]: "MN",
    [OP.union]: "N",
    [OP.array]: "n",
    [OP.tuple]: "N",
    [OP.instance]: "nN",
    [OP.typeParameter]: "nn",
    [OP.argument]: "np",
    [OP.parameter]: "np",
    [OP.returned]: "n",
    [OP.list]: "N",
    [OP.literal]: "p",
    [OP.intersection]: "N",
    [OP.constructed]: "n",
    [OP.narrowed]: "nn",
    [OP.guarded]: "n",
  },
);
