import { chmodSync, closeSync, linkSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ensurePrivateFolder } from "../files/index.ts";
import { loadDriver } from "./driver.ts";
import { fileError } from "./failure.ts";
import { decodeRow, textAsBytes } from "./read-text.ts";
import type { FoundRow } from "./read-text.ts";

type Database = import("libsql").Database;
type Statement = import("libsql").Statement;

const MAX_STATEMENTS = 200;

/** The tables of a file, and how durable its writes are. */
export interface FileFormat {
  readonly schema: string;
  /**
   * The version of the schema. It is increased if older versions of Waybill cannot read the new
   * schema.
   */
  readonly version: number;
  /** SQL that migrates an older version to the next one, by the number of the older version. */
  readonly migrations?: Readonly<Record<number, string>>;
  /** FULL survives a power cut. NORMAL survives only the end of the process. */
  readonly synchronous: "FULL" | "NORMAL";
  /**
   * Whether each transaction ends with everything in this one file. Then a copy is complete, and
   * damage is detected when the file is opened. Otherwise a WAL file is beside it.
   */
  readonly isWhole?: boolean;
}

type Driver = Awaited<ReturnType<typeof loadDriver>>;

/**
 * Creates the file under another name and moves it into place with its content. So an empty file
 * is always a damaged one.
 */
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
    // Ignored: another process created the file first.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(aside, { force: true });
    rmSync(`${aside}-journal`, { force: true });
  }
}

/**
 * Creates the file with its permissions, if it does not exist. Returns whether it did. An
 * existing file is not opened here, because closing a second descriptor would drop the locks
 * that SQLite holds in this process.
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

/** Identifies the file at a path. A file that was moved and created again has another identity. */
function identify(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** Rolls back. After some failures, such as a full disk, SQLite has already done that. */
function rollBack(database: Database): void {
  try {
    if (database.inTransaction) database.exec("ROLLBACK");
  } catch {
    // Ignored, because the caller needs the first error.
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

/** Migrates one version at a time, from any older version to this one. */
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

/**
 * A complete file has a version. A file without one has lost its content, for example because
 * its WAL file is missing, or it belongs to another program.
 */
function assertWritten(database: Database): void {
  if (schemaVersion(database) === 0) throw fileError("FILE_DAMAGED");
}

/** Larger files are not checked completely at every start. */
const MOST_CHECKED = 16_000_000;

/** Checks all pages, because SQLite itself detects a damaged page only when it reads the page. */
function assertSound(database: Database, path: string): void {
  if (statSync(path).size > MOST_CHECKED) return;
  const row = database.prepare("PRAGMA integrity_check(1)").get() as { integrity_check: string };
  if (row.integrity_check !== "ok") throw fileError("FILE_DAMAGED");
}

/** An open SQLite file with one connection. Every transaction begins and ends synchronously. */
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
      if (format.isWhole === true) assertWritten(database);
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

  /** Runs a statement that changes rows. Returns how many it changed. */
  run(sql: string, values: FoundRow): number {
    return this.#statement(sql, (text) => text).run(values).changes;
  }

  /** The row of a query that finds at most one. */
  get(sql: string, values: FoundRow = {}): FoundRow | undefined {
    return this.all(sql, values)[0];
  }

  /** All rows of a query. */
  all(sql: string, values: FoundRow = {}): FoundRow[] {
    return this.#query(sql).all(values).map(decodeRow);
  }

  #query(sql: string): Statement {
    return this.#statement(sql, (text) => {
      const columns = this.#database.prepare(text).columns();
      const names = columns.map(({ name }) => name);
      return textAsBytes(text, names);
    });
  }

  /** A prepared statement, from a bounded cache. */
  #statement(sql: string, prepared: (sql: string) => string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
      statement = this.#database.prepare(prepared(sql));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Rewrites an existing value, to test that the file can be written. */
  touch(): void {
    this.#database.exec(`PRAGMA user_version = ${this.#version}`);
  }

  /** Closes the file. Returns whether it was open. */
  close(): boolean {
    if (this.#isClosed) return false;
    this.#isClosed = true;
    this.#statements.clear();
    this.#database.close();
    return true;
  }
}
