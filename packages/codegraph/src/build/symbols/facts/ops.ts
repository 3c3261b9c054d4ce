/**
 * The small language in which a file says what its expressions and types are made of. A node is a
 * few numbers in `SymbolFacts.code`; its number is where it starts, and 0 is "nothing is known".
 * Values and types share the language: `typeof x` is simply the node of `x`.
 */
export const OP = {
  unknown: 0,
  /** symbol of this file */
  symbol: 1,
  /** specifier, exported name */
  imported: 2,
  /** specifier: the whole module */
  module: 3,
  /** node: a variable that is no symbol, and what it holds */
  local: 4,
  /** name: declared in no scope of the file */
  global: 5,
  /** class symbol, 1 where `this` is the class itself */
  self: 6,
  /** class symbol, 1 where `super` is the class itself */
  parent: 7,
  /** node, name */
  member: 8,
  /** callee, 1 for `new`, number of arguments, arguments…, number of type arguments, they… */
  call: 9,
  /** node */
  awaited: 10,
  /** node, index, -1 for any or INDEXED: what iterating or indexing it gives */
  element: 11,
  /** flags, return, type parameter list, number of parameters, parameters… */
  func: 12,
  /** number of members, (name, node)…, number of spreads, nodes… */
  object: 13,
  /** count, nodes…: one of them */
  union: 14,
  /** node of the element */
  array: 15,
  /** count, nodes… */
  tuple: 16,
  /** named type, count, type arguments…: an instance of it */
  instance: 17,
  /** constraint, default: a type parameter, known by the number of this node */
  typeParameter: 18,
  /** call, index: what the callee expects there */
  argument: 19,
  /** function, index: what its parameter is declared as */
  parameter: 20,
  /** function: what calling it gives */
  returned: 21,
  /** count, nodes… */
  list: 22,
  /** 0 text, 1 number, 2 truth value, 3 nothing */
  literal: 23,
  /** count, nodes…: all of them at once */
  intersection: 24,
  /** class value: what `new` gives */
  constructed: 25,
  /** node, node: what is left of the first after a test that says it is the second */
  narrowed: 26,
  /** function: what it says its argument is, if it is a type guard */
  guarded: 27,
} as const;

/** As the index of an element: what `x[i]` gives, which of a map is the value. */
export const INDEXED = -2;

export const FUNC_FLAG = { construct: 1, rest: 2, guard: 4 } as const;
/** Above the flags of a function stands how many arguments it needs. */
export const REQUIRED_SHIFT = 8;

/** `oneSpace`: a class whose members are also found on the class itself, as in Python. */
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
 * The operands of the op in a node: `n` a node, `t` a string, `p` a plain number, `N` a count and
 * that many nodes, `M` a count and that many pairs of a string and a node.
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
