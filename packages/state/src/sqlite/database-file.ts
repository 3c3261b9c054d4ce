import { chmodSync, closeSync, linkSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ensurePrivateFolder } from "../files/index.ts";
import { loadDriver } from "./driver.ts";
import { fileError } from "./failure.ts";

type Database = import("libsql").Database;
type Statement = import("libsql").Statement;

const MAX_STATEMENTS = 200;

/** The tables of a file, and how safely it is written. */
export interface FileFormat {
  readonly schema: string;
  /** Raised when the schema changes in a way that an older version would not understand. */
  readonly version: number;
  /** SQL that migrates an older version to the next one, keyed by the older version's number. */
  readonly migrations?: Readonly<Record<number, string>>;
  /** FULL survives a power cut; NORMAL survives the end of the process. */
  readonly synchronous: "FULL" | "NORMAL";
  /**
   * Everything stands in this one file after each transaction, so that a copy of it is whole, and a
   * damaged file is found out when it is opened. Without it there is a WAL beside the file.
   */
  readonly isWhole?: boolean;
}

type Driver = Awaited<ReturnType<typeof loadDriver>>;

/** Made aside and put in place with its content, so that an empty file is always a damaged one. */
function createWhole(path: string, Driver: Driver, format: FileFormat): void {
  const aside = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  closeSync(openSync(aside, "wx", 0o600));
  try {
    const database = new Driver(aside, { timeout: 0 });
    try {
      prepare(database, format);
    } finally {
      database.close();
    }
    linkSync(aside, path);
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(aside, { force: true });
    rmSync(`${aside}-journal`, { force: true });
  }
}

/**
 * Creates the file with its mode, and says whether it did. One that exists is not opened here:
 * closing a second descriptor of the file would drop the locks that SQLite holds on it in this
 * process.
 */
function ensureFile(path: string, Driver: Driver, format: FileFormat): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined) {
    if ((found.mode & 0o077) !== 0) chmodSync(path, 0o600);
    if (format.isWhole === true && found.isFile() && found.size === 0) {
      throw fileError("FILE_DAMAGED");
    }
    return false;
  }
  if (format.isWhole === true) createWhole(path, Driver, format);
  else closeSync(openSync(path, "a", 0o600));
  return true;
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
    // The caller needs to know the first error.
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

function schemaVersion(database: Database): number {
  const row = database.prepare("PRAGMA user_version").get() as { user_version: number };
  return row.user_version;
}

/** One step at a time, so that a file of any older version becomes one of this. */
function migrate(database: Database, { schema, version, migrations = {} }: FileFormat): void {
  for (let found = schemaVersion(database); found < version; found = schemaVersion(database)) {
    const step = found === 0 ? schema : migrations[found];
    if (step === undefined) throw fileError("FILE_OLDER");
    const next = found === 0 ? version : found + 1;
    database.exec(`${step}; PRAGMA user_version = ${next}`);
  }
}

function prepare(database: Database, format: FileFormat): void {
  const { version, synchronous, isWhole = false } = format;
  if (schemaVersion(database) > version) throw fileError("FILE_NEWER");
  database.prepare(`PRAGMA journal_mode = ${isWhole ? "TRUNCATE" : "WAL"}`).get();
  database.exec(`PRAGMA synchronous = ${synchronous}`);
  if (schemaVersion(database) < version) inTransaction(database, () => migrate(database, format));
}

/** Larger files are not read as a whole at every start. */
const MOST_CHECKED = 16_000_000;

/** SQLite finds out about a damaged page when it comes across it; this looks at all of them. */
function assertSound(database: Database, path: string): void {
  if (statSync(path).size > MOST_CHECKED) return;
  const row = database.prepare("PRAGMA integrity_check(1)").get() as { integrity_check: string };
  if (row.integrity_check !== "ok") throw fileError("FILE_DAMAGED");
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
    const isNew = ensureFile(path, Driver, format);
    const database = new Driver(path, { timeout: 0 });
    try {
      prepare(database, format);
      if (format.isWhole === true && !isNew) assertSound(database, path);
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
