import { DatabaseFile } from "../sqlite/index.ts";
import { FORMAT, STATEMENTS } from "./schema.ts";
import type { CallRow } from "./schema.ts";

type StatementName = keyof typeof STATEMENTS;
type Values = Readonly<Record<string, string | number | null>>;

/** The journal's file while it is open. */
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

  find(scope: string, now: number): CallRow | undefined {
    return this.#file.statement(STATEMENTS.find).get({ scope, now }) as CallRow | undefined;
  }

  /** Runs a statement. Returns whether it changed exactly one row. */
  change(name: Exclude<StatementName, "find">, values: Values): boolean {
    return this.#file.statement(STATEMENTS[name]).run(values).changes === 1;
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
