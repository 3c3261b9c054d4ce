/** A GraphQL document that was parsed in advance, together with the cards. */
export interface PreparedDocument {
  /** The operation of the document. */
  readonly operationName: string;
  /** Whether the document reads or writes. */
  readonly kind: "query" | "mutation";
  /** The document alone, printed without unnecessary characters. */
  readonly text: string;
  /** The variables of the document, and which are required. */
  readonly variables: readonly { readonly name: string; readonly required: boolean }[];
  /**
   * The maximum number of items that the document requests, as terms to add up. Absent if it
   * requests no lists.
   */
  readonly nodes?: readonly NodeTerm[];
  /** The form of the document that can be merged with others. Absent if it cannot be merged. */
  readonly template?: DocumentTemplate;
}

/** A product of a number and the values of some variables, which set the lengths of lists. */
export interface NodeTerm {
  /** The constant factor. */
  readonly factor: number;
  /** Variables whose values are the other factors. */
  readonly variables: readonly string[];
}

/**
 * A document split into pieces. A prefix for each step is inserted between the pieces, so that
 * variables, root fields and fragments of merged steps do not collide.
 */
export interface DocumentTemplate {
  /** The declarations of the document's variables, in pieces. */
  readonly variables: readonly string[];
  /** The selections of the document, in pieces. */
  readonly selections: readonly string[];
  /** Fragments that use variables. Every step needs its own copy of these. */
  readonly ownFragments: readonly string[];
  /** Fragments named by a hash of their content, so that equal ones are sent once. */
  readonly sharedFragments: Readonly<Record<string, string>>;
}

/** Prepared documents by path and by operation name. */
export type CardDocuments = Readonly<Record<string, PreparedDocument>>;
