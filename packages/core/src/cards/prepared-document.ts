/** A GraphQL document as it was made ready when the cards were: nothing parses it again. */
export interface PreparedDocument {
  /** The operation of the document. */
  readonly operationName: string;
  /** Whether it reads or writes. */
  readonly kind: "query" | "mutation";
  /** The document alone, printed without needless characters. */
  readonly text: string;
  /** Its variables, and which are required. */
  readonly variables: readonly { readonly name: string; readonly required: boolean }[];
  /** How many items it asks for at most: the sum of these. Absent if it asks for no lists. */
  readonly nodes?: readonly NodeTerm[];
  /** Absent where the document cannot stand beside others. */
  readonly template?: DocumentTemplate;
}

/** A number times the values of some variables, which say how long lists may be. */
export interface NodeTerm {
  /** The number. */
  readonly factor: number;
  /** Variables whose values are multiplied with it. */
  readonly variables: readonly string[];
}

/**
 * The document in pieces: between each two of them goes the prefix of the step, which keeps
 * variables, root fields and fragments of several steps apart.
 */
export interface DocumentTemplate {
  /** The declarations of its variables, in pieces. */
  readonly variables: readonly string[];
  /** Its selections, in pieces. */
  readonly selections: readonly string[];
  /** Fragments that use variables, so that every step needs its own. */
  readonly ownFragments: readonly string[];
  /** Fragments by a name made from their content: the same one is sent once. */
  readonly sharedFragments: Readonly<Record<string, string>>;
}

/** Prepared documents by path and by operation name. */
export type CardDocuments = Readonly<Record<string, PreparedDocument>>;
