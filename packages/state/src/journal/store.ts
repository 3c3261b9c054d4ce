import { DatabaseFile } from "../sqlite/index.ts";
import { assertIntact } from "./checksum.ts";
import { FORMAT, STATEMENTS } from "./schema.ts";
import type { CallRow } from "./schema.ts";

type StatementName = keyof typeof STATEMENTS;
type Values = Readonly<Record<string, string | number | null>>;

/** The open file of the journal. */
export class Store {
  readonly #file: DatabaseFile;

  private constructor(file: DatabaseFile) {
    this.#file = file;
  }

  static async open(path: string): Promise<Store> {
    return new Store(await DatabaseFile.open(path, FORMAT));
  }

  isInPlace(): boolean {
    return this.#file.isInPlace();
  }

  transaction<T>(step: () => T): T {
    return this.#file.transaction(step);
  }

  /** Throws if the row is damaged. */
  find(scope: string, now: number): CallRow | undefined {
    const row = this.#file.get(STATEMENTS.find, { scope, now });
    return row && assertIntact(row as unknown as CallRow);
  }

  /** Throws if any row is damaged. */
  checkAll(): void {
    for (const row of this.#file.all(STATEMENTS.all)) assertIntact(row as unknown as CallRow);
  }

  /** Runs a statement. Returns whether it changed exactly one row. */
  change(name: Exclude<StatementName, "find" | "all">, values: Values): boolean {
    return this.#file.run(STATEMENTS[name], values) === 1;
  }

  /** Rewrites an existing value, to test that the file can be written. */
  touch(): void {
    this.#file.touch();
  }

  /** Closes the file. Returns whether it was open. */
  close(): boolean {
    return this.#file.close();
  }
}
