/**
 * A small language that describes the expressions and types of a file. A node is a few numbers in
 * `SymbolFacts.code`. Its id is the index where it starts, and 0 means unknown. Values and types
 * share the language: `typeof x` is the node of `x`.
 */
export const OP = {
  unknown: 0,
  /** symbol of this file */
  symbol: 1,
  /** specifier, exported name */
  imported: 2,
  /** specifier: the whole module */
  module: 3,
  /** node: a variable that is not a symbol, with its value */
  local: 4,
  /** name: not declared in the file */
  global: 5,
  /** class symbol, 1 if `this` is the class itself */
  self: 6,
  /** class symbol, 1 if `super` is the class itself */
  parent: 7,
  /** node, name */
  member: 8,
  /**
   * callee, 1 for `new`, number of arguments, arguments…, number of type arguments, type arguments…
   */
  call: 9,
  /** node */
  awaited: 10,
  /** node, index (or -1 for any, or INDEXED): the result of iterating or indexing it */
  element: 11,
  /** flags, return, type parameter list, number of parameters, parameters… */
  func: 12,
  /** number of members, (name, node)…, number of spreads, nodes… */
  object: 13,
  /** count, nodes…: any one of them */
  union: 14,
  /** node of the element */
  array: 15,
  /** count, nodes… */
  tuple: 16,
  /** named type, count, type arguments…: an instance of the type */
  instance: 17,
  /** constraint, default: a type parameter, identified by the number of this node */
  typeParameter: 18,
  /** call, index: the expected type of an argument */
  argument: 19,
  /** function, index: the declared type of a parameter */
  parameter: 20,
  /** function: its return type */
  returned: 21,
  /** count, nodes… */
  list: 22,
  /** 0 string, 1 number, 2 boolean, 3 null or undefined */
  literal: 23,
  /** count, nodes…: all of them together */
  intersection: 24,
  /** class value: the result of `new` */
  constructed: 25,
  /** node, node: the first, narrowed by a test to the second */
  narrowed: 26,
  /** function: the type that a type guard asserts */
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
