import type { CardDocuments, CardProblem, PreparedDocument } from "@waybill/core/cards";
import type { CardFile } from "./card-files.ts";

export interface LoadedDocuments {
  readonly documents: CardDocuments;
  readonly problems: readonly CardProblem[];
  /** The path of field names to the single object that a document requests. */
  readonly objectPath?: (document: string) => readonly string[] | undefined;
}

type Prepare = typeof import("../graphql/documents.ts");

/** Prepares documents, keyed by path and operation name. */
class DocumentTable {
  readonly documents: Record<string, PreparedDocument> = {};
  readonly problems: CardProblem[] = [];
  readonly #prepare: Prepare;

  constructor(prepare: Prepare) {
    this.#prepare = prepare;
  }

  readonly objectPath = (name: string): readonly string[] | undefined => {
    const document = Object.hasOwn(this.documents, name) ? this.documents[name] : undefined;
    return document === undefined ? undefined : this.#prepare.objectPath(document.text);
  };

  add({ path, text }: CardFile): void {
    const prepared = this.#prepared(path, text);
    if (prepared === undefined) return;
    this.documents[path] = prepared;
    const name = prepared.operationName;
    if (Object.hasOwn(this.documents, name)) {
      this.problems.push({
        file: path,
        key: name,
        message: "another document has this name; rename one of them",
      });
    } else {
      this.documents[name] = prepared;
    }
  }

  #prepared(path: string, text: string): PreparedDocument | undefined {
    try {
      return this.#prepare.prepareDocument(text);
    } catch (error) {
      if (!(error instanceof this.#prepare.DocumentError)) throw error;
      const line = error.line === undefined ? {} : { line: error.line };
      this.problems.push({ file: path, ...line, key: "", message: error.message });
      return undefined;
    }
  }
}

/** Loads the `graphql` package only if there are documents. */
export async function loadDocuments(files: readonly CardFile[]): Promise<LoadedDocuments> {
  if (files.length === 0) return { documents: {}, problems: [] };
  const table = new DocumentTable(await import("../graphql/documents.ts"));
  for (const file of files) table.add(file);
  return table;
}
