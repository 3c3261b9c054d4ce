import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The compiled code of one bundled file (a "part"), with the modules and parts it had loaded when
 * the code was stored.
 */
export interface KeptCode {
  readonly code: Buffer;
  readonly uses: readonly string[];
}

interface Head {
  readonly part: string;
  readonly build: string;
  readonly size: number;
  readonly uses: readonly string[];
}

const OTHERS_MAY_WRITE = 0o022;
const MAX_BYTES = 32_000_000;
/** A file this old belongs to a version of Node or Waybill that is no longer used. */
const MAX_AGE_MS = 30 * 86_400_000;
/**
 * Open flags that refuse symbolic links, which may lead to other users' files, and that do not wait
 * for pipes.
 */
const PLAINLY = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** The user's cache folder; undefined if there is none. */
export function codeFolder(env: Environment): string | undefined {
  if ((env["NODE_DISABLE_COMPILE_CACHE"] ?? "") !== "") return undefined;
  const { XDG_CACHE_HOME: set = "", HOME: home = "" } = env;
  // The XDG specification says to ignore a relative path in its variables.
  if (set.startsWith("/")) return `${set}/waybill`;
  return home.startsWith("/") ? `${home}/.cache/waybill` : undefined;
}

/** Code runs with the rights of the user who loads it, so nobody else may have written it. */
function isOwn(file: number): boolean {
  const stat = fstatSync(file);
  if (!stat.isFile() || stat.size > MAX_BYTES) return false;
  return stat.uid === process.getuid?.() && (stat.mode & OTHERS_MAY_WRITE) === 0;
}

function readOwn(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, PLAINLY);
    return isOwn(file) ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The file was never created, or this user cannot remove it.
  }
}

/**
 * Creates a folder and its parents. Node's `recursive` option never returns in `/proc`, and the
 * similar function of `@waybill/state` cannot be used, because this code loads the bundle that
 * contains it.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = folder.slice(0, folder.lastIndexOf("/"));
  if (above !== "") makeFolder(above);
  mkdirSync(folder, { mode: 0o700 });
}

function readHead(bytes: Buffer, end: number): Head | undefined {
  try {
    return JSON.parse(bytes.toString("latin1", 0, end)) as Head;
  } catch {
    return undefined;
  }
}

/**
 * Stores compiled code, so that a command does not compile itself at every start. A file belongs to
 * one build of the command and one version of Node; a newer one replaces it.
 *
 * V8 trusts the code and crashes the process if it is damaged. So everything is written twice:
 * comparing two copies is faster than loading code for a checksum.
 */
export class CodeCache {
  readonly #folder: string;
  readonly #build: string;

  constructor(folder: string, build: string) {
    this.#folder = folder;
    this.#build = build;
  }

  /** Whether files can be stored. */
  isUsable(): boolean {
    try {
      makeFolder(this.#folder);
      return true;
    } catch {
      return false;
    }
  }

  #path(name: string): string {
    return `${this.#folder}/${name}-${process.version}-${process.arch}.code`;
  }

  read(name: string): KeptCode | undefined {
    const bytes = readOwn(this.#path(name));
    const end = bytes?.indexOf("\n") ?? -1;
    if (bytes === undefined || end < 0) return undefined;
    const head = readHead(bytes, end);
    if (head?.part !== name) return undefined;
    if (head.build !== this.#build || bytes.length !== end + 1 + 2 * head.size) return undefined;
    const code = bytes.subarray(end + 1, end + 1 + head.size);
    return code.equals(bytes.subarray(end + 1 + head.size)) ? { code, uses: head.uses } : undefined;
  }

  /**
   * Writes a temporary file and renames it, so that no reader sees a partial file. A failed write
   * is ignored.
   */
  write(name: string, { code, uses }: KeptCode): void {
    const path = this.#path(name);
    const part = `${path}.${process.pid}.part`;
    const head: Head = { part: name, build: this.#build, size: code.length, uses };
    try {
      makeFolder(this.#folder);
      const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), code, code]);
      writeFileSync(part, bytes, { mode: 0o600, flag: "wx" });
      renameSync(part, path);
      this.#removeOld();
    } catch {
      removeQuietly(part);
    }
  }

  #removeOld(): void {
    for (const name of readdirSync(this.#folder)) {
      if (!/\.(?:code|part)$/.test(name)) continue;
      const path = `${this.#folder}/${name}`;
      if (Date.now() - statSync(path).mtimeMs > MAX_AGE_MS) removeQuietly(path);
    }
  }
}
