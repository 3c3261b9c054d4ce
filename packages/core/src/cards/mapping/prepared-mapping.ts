/** A key of an object, or an index of a list. A negative index counts from the end. */
export type PathKey = string | number;

/** A path from the current value, or from a variable such as `$params`. */
export interface PlainPath {
  readonly variable?: string;
  readonly keys: readonly PathKey[];
}

/**
 * A parsed mapping, as JSON. A path from the current value is the most common leaf, so it is
 * just a list of keys. This makes modules with many cards smaller and faster to load.
 */
export type PreparedMapping = readonly PathKey[] | PreparedNode;

type PreparedNode =
  | { readonly is: "constant"; readonly value: unknown }
  | VariableNode
  | ExpressionNode
  | { readonly is: "object"; readonly fields: readonly (readonly [string, PreparedMapping])[] }
  | { readonly is: "list"; readonly items: readonly PreparedMapping[] }
  | InsideNode
  | MapNode
  | FindNode
  | TextNode
  | CallNode;

interface VariableNode {
  readonly is: "variable";
  readonly variable: string;
  readonly keys: readonly PathKey[];
}

export function isKeys(prepared: PreparedMapping): prepared is readonly PathKey[] {
  return Array.isArray(prepared);
}

/** An expression that only the JMESPath library can evaluate. */
export interface ExpressionNode {
  readonly is: "expression";
  readonly text: string;
  /** The syntax tree of the library. */
  readonly tree: SyntaxTree;
  /**
   * Paths that the expression reads from the current value. If all are absent, a null result is
   * absent too.
   */
  readonly reads: readonly PlainPath[];
  /** Every use of a variable in the expression. */
  readonly variables: readonly PlainPath[];
}

export interface SyntaxTree {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** `from` maps a part of the value, `each` every item of a list. */
export interface InsideNode {
  readonly is: "from" | "each";
  readonly of: PreparedMapping;
  readonly value: PreparedMapping;
}

export interface MapNode {
  readonly is: "map";
  readonly table: Readonly<Record<string, unknown>>;
  readonly of: PreparedMapping;
  /** The result for a value that is not in the table. Without it, such a value is an error. */
  readonly fallback?: { readonly value: unknown };
}

export interface FindNode {
  readonly is: "find";
  /** One name, or a list of names. */
  readonly name: PreparedMapping;
  readonly list: PreparedMapping;
  readonly by: PreparedMapping;
  readonly value: PreparedMapping;
}

export interface TextNode {
  readonly is: "text";
  readonly parts: readonly (string | PreparedMapping)[];
}

export interface CallNode {
  readonly is: "call";
  readonly name: string;
  readonly of: PreparedMapping;
}
