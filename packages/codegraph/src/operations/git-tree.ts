import { spawn } from "node:child_process";
import { GIT_FLAGS, gitEnvironment, runGit, splitZero } from "../git/run.ts";
import type { GitRun } from "../git/run.ts";

/** A file of a commit, or of the index. */
export interface TreeEntry {
  readonly path: string;
  readonly blob: string;
}

const ENTRY = /^(\d+) blob ([0-9a-f]+)\t([^]*)$/u;
const INDEX_ENTRY = /^(\d+) ([0-9a-f]+) \d\t([^]*)$/u;
const MAX_BLOB = 16 * 1024 * 1024;

/** The plain files of a commit, relative to the folder. Links and submodules are left out. */
export async function listTree(rev: string, run: GitRun): Promise<TreeEntry[]> {
  return entriesIn(await runGit(["ls-tree", "-r", "-z", rev], run), ENTRY);
}

/** The plain files of the index. For a file in conflict, one of its versions. */
export async function listIndex(run: GitRun): Promise<TreeEntry[]> {
  const entries = entriesIn(await runGit(["ls-files", "--stage", "-z"], run), INDEX_ENTRY);
  return [...new Map(entries.map((entry) => [entry.path, entry])).values()];
}

function entriesIn(output: string | undefined, form: RegExp): TreeEntry[] {
  return splitZero(output ?? "").flatMap((line) => {
    const [, mode, blob, path] = form.exec(line) ?? [];
    const isFile = mode?.startsWith("100") === true;
    return isFile && blob !== undefined && path !== undefined ? [{ path, blob }] : [];
  });
}

/** Parses `<id> blob <size>\n<content>\n` as it arrives. */
class BlobReader {
  #rest: Buffer = Buffer.alloc(0);

  *read(chunk: Buffer): Generator<Buffer> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const end = this.#rest.indexOf(10);
      if (end < 0) return;
      const size = Number(/ (\d+)$/u.exec(this.#rest.toString("latin1", 0, end))?.[1] ?? -1);
      const start = end + 1;
      if (size < 0) {
        this.#rest = this.#rest.subarray(start);
        yield Buffer.alloc(0);
        continue;
      }
      if (this.#rest.length < start + size + 1) return;
      yield this.#rest.subarray(start, start + size);
      this.#rest = this.#rest.subarray(start + size + 1);
    }
  }
}

/**
 * The contents of files as git stores them. Filters and attributes are not applied, because they
 * can name programs to run.
 */
export async function* catFiles(
  entries: readonly TreeEntry[],
  { cwd, signal }: GitRun,
): AsyncGenerator<{ readonly path: string; readonly content: Buffer }> {
  if (entries.length === 0) return;
  const child = spawn("git", [...GIT_FLAGS, "cat-file", "--batch"], {
    cwd,
    env: gitEnvironment(),
    stdio: ["pipe", "pipe", "ignore"],
    ...(signal && { signal }),
  });
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  child.stdin.end(`${entries.map(({ blob }) => blob).join("\n")}\n`);
  const reader = new BlobReader();
  let at = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    for (const content of reader.read(chunk)) {
      const entry = entries[at++];
      if (entry === undefined) return;
      const isHuge = content.length > MAX_BLOB;
      yield { path: entry.path, content: isHuge ? Buffer.alloc(0) : content };
    }
  }
}
