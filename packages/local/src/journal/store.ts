import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ensurePrivateFolder } from "../state.ts";
import { journalError } from "./failure.ts";
import { SCHEMA, SCHEMA_VERSION, STATEMENTS } from "./schema.ts";
import type { CallRow } from "./schema.ts";

type Database = import("libsql").Database;
type Statement = import("libsql").Statement;
type StatementName = keyof typeof STATEMENTS;
type Values = Readonly<Record<string, string | number>>;

/**
 * Creates the file with its mode. One that exists is not opened here: closing a second descriptor
 * of the file would drop the locks that SQLite holds on it in this process.
 */
function createPrivate(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) closeSync(openSync(path, "a", 0o600));
  else if ((found.mode & 0o077) !== 0) chmodSync(path, 0o600);
}

/** Which file a path leads to now; a file that was moved aside is another one. */
function identify(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** SQLite has rolled back already after some failures, a full disk among them. */
function rollBack(database: Database): void {
  try {
    if (database.inTransaction) database.exec("ROLLBACK");
  } catch {
    // What went wrong first is what the caller needs to know.
  }
}

function inTransaction<T>(database: Database, step: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const value = step();
    database.exec("COMMIT");
    return value;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function versionOf(database: Database): number {
  const row = database.prepare("PRAGMA user_version").get() as { user_version: number };
  return row.user_version;
}

function prepare(database: Database): void {
  database.prepare("PRAGMA journal_mode = WAL").get();
  database.exec("PRAGMA synchronous = FULL");
  if (versionOf(database) === 0) inTransaction(database, () => database.exec(SCHEMA));
  if (versionOf(database) > SCHEMA_VERSION) throw journalError("JOURNAL_NEWER");
}

/** The open file: one connection, whose transactions all begin and end within one turn. */
export class Store {
  readonly #path: string;
  readonly #file: string | undefined;
  readonly #database: Database;
  readonly #statements = new Map<StatementName, Statement>();
  #isClosed = false;

  private constructor(path: string, database: Database) {
    this.#path = path;
    this.#file = identify(path);
    this.#database = database;
  }

  static async open(path: string): Promise<Store> {
    const { default: Driver } = await import("libsql");
    await ensurePrivateFolder(dirname(path));
    createPrivate(path);
    const database = new Driver(path, { timeout: 0 });
    try {
      prepare(database);
      return new Store(path, database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  isInPlace(): boolean {
    if (this.#isClosed || this.#file === undefined) return false;
    return identify(this.#path) === this.#file;
  }

  transaction<T>(step: () => T): T {
    return inTransaction(this.#database, step);
  }

  find(scope: string, now: number): CallRow | undefined {
    return this.#statement("find").get({ scope, now }) as CallRow | undefined;
  }

  /** Runs a statement and says whether it changed exactly one row. */
  change(name: Exclude<StatementName, "find">, values: Values): boolean {
    return this.#statement(name).run(values).changes === 1;
  }

  /** Writes what is there already. */
  touch(): void {
    this.#database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  }

  /** Says whether it was open until now. */
  close(): boolean {
    if (this.#isClosed) return false;
    this.#isClosed = true;
    this.#statements.clear();
    this.#database.close();
    return true;
  }

  #statement(name: StatementName): Statement {
    let statement = this.#statements.get(name);
    if (statement === undefined) {
      statement = this.#database.prepare(STATEMENTS[name]);
      this.#statements.set(name, statement);
    }
    return statement;
  }
}
