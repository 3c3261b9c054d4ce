import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ensurePrivateFolder } from "../files/index.ts";
import { loadDriver } from "./driver.ts";
import { fileError } from "./failure.ts";

type Database = import("libsql").Database;
type Statement = import("libsql").Statement;

const MAX_STATEMENTS = 200;

/** What stands in a file, and how safely it is written. */
export interface FileFormat {
  readonly schema: string;
  /** Raised when the schema changes in a way that an older version would not understand. */
  readonly version: number;
  /** FULL survives a power cut; NORMAL survives the end of the process. */
  readonly synchronous: "FULL" | "NORMAL";
}

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

function prepare(database: Database, { schema, version, synchronous }: FileFormat): void {
  database.prepare("PRAGMA journal_mode = WAL").get();
  database.exec(`PRAGMA synchronous = ${synchronous}`);
  if (versionOf(database) === 0) {
    inTransaction(database, () => {
      database.exec(`${schema}; PRAGMA user_version = ${version}`);
    });
  }
  if (versionOf(database) > version) throw fileError("FILE_NEWER");
}

/** An open SQLite file: one connection, whose transactions all begin and end within one turn. */
export class DatabaseFile {
  readonly #path: string;
  readonly #file: string | undefined;
  readonly #database: Database;
  readonly #version: number;
  readonly #statements = new Map<string, Statement>();
  #isClosed = false;

  private constructor(path: string, database: Database, version: number) {
    this.#path = path;
    this.#file = identify(path);
    this.#database = database;
    this.#version = version;
  }

  static async open(path: string, format: FileFormat): Promise<DatabaseFile> {
    const Driver = await loadDriver();
    await ensurePrivateFolder(dirname(path));
    createPrivate(path);
    const database = new Driver(path, { timeout: 0 });
    try {
      prepare(database, format);
      return new DatabaseFile(path, database, format.version);
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

  /** Prepared once, as long as there are not too many. */
  statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Writes what is there already. */
  touch(): void {
    this.#database.exec(`PRAGMA user_version = ${this.#version}`);
  }

  /** Says whether it was open until now. */
  close(): boolean {
    if (this.#isClosed) return false;
    this.#isClosed = true;
    this.#statements.clear();
    this.#database.close();
    return true;
  }
}
