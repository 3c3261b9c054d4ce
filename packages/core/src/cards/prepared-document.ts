/** A GraphQL document that was parsed in advance, together with the cards. */
export interface PreparedDocument {
  /** The operation of the document. */
  readonly operationName: string;
  /** Whether it reads or writes. */
  readonly kind: "query" | "mutation";
  /** The document alone, printed without unnecessary characters. */
  readonly text: string;
  /** Its variables, and which are required. */
  readonly variables: readonly { readonly name: string; readonly required: boolean }[];
  /**
   * The terms whose sum is the maximum number of items that it requests. Absent if it requests no
   * lists.
   */
  readonly nodes?: readonly NodeTerm[];
  /** Used to merge the document with others. Absent if it cannot be merged. */
  readonly template?: DocumentTemplate;
}

/** A number times the values of some variables, which set the lengths of lists. */
export interface NodeTerm {
  /** The constant number of the product. */
  readonly factor: number;
  /** Variables whose values are multiplied with it. */
  readonly variables: readonly string[];
}

/**
 * The document in pieces. The prefix of a step is inserted between them, so that variables, root
 * fields and fragments of several steps do not collide.
 */
export interface DocumentTemplate {
  /** The declarations of its variables, in pieces. */
  readonly variables: readonly string[];
  /** Its selections, in pieces. */
  readonly selections: readonly string[];
  /** Fragments that use variables, so every step needs its own copy. */
  readonly ownFragments: readonly string[];
  /** Fragments named by their content, so that equal ones are sent once. */
  readonly sharedFragments: Readonly<Record<string, string>>;
}

/** Prepared documents by path and by operation name. */
export type CardDocuments = Readonly<Record<string, PreparedDocument>>;
