/** A key of an object, or a place in a list, from the end when negative. */
export type PathKey = string | number;

/** A path from the current value, or from a variable such as `$params`. */
export interface PlainPath {
  readonly variable?: string;
  readonly keys: readonly PathKey[];
}

/**
 * A mapping after parsing, as JSON. A path from the current value, which most leaves are, is the
 * bare list of its keys: modules of many cards get smaller and load sooner.
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
  /** The library's own tree. */
  readonly tree: SyntaxTree;
  /** Paths it reads from the current value: when they are absent, so is a result of null. */
  readonly reads: readonly PlainPath[];
  /** Every use of a variable, at any position. */
  readonly variables: readonly PlainPath[];
}

export interface SyntaxTree {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** `from` goes into a value, `each` into every item of a list. */
export interface InsideNode {
  readonly is: "from" | "each";
  readonly of: PreparedMapping;
  readonly value: PreparedMapping;
}

export interface MapNode {
  readonly is: "map";
  readonly table: Readonly<Record<string, unknown>>;
  readonly of: PreparedMapping;
  /** The value for anything unlisted; without it, an unlisted value is an error. */
  readonly fallback?: { readonly value: unknown };
}

export interface FindNode {
  readonly is: "find";
  /** One name, or a list of them. */
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
