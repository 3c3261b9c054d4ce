import { createHash } from "node:crypto";

export interface GitActor {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

export interface GitCommit {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: GitActor;
  readonly committer: GitActor;
}

export interface TreeEntry {
  readonly name: string;
  readonly mode: "100644" | "100755" | "040000";
  readonly oid: string;
}

/** Maps a path to a blob. */
export type Files = ReadonlyMap<string, string>;

function hash(kind: string, content: Buffer): string {
  return createHash("sha1").update(`${kind} ${content.length}\0`).update(content).digest("hex");
}

/**
 * Git objects with the same hashes as in git. All repositories share them, because forks need that.
 */
export class GitObjects {
  readonly #blobs = new Map<string, Buffer>();
  readonly #trees = new Map<string, readonly TreeEntry[]>();
  readonly #commits = new Map<string, GitCommit>();
  readonly #files = new Map<string, Files>();

  writeBlob(content: Buffer): string {
    const oid = hash("blob", content);
    this.#blobs.set(oid, content);
    return oid;
  }

  blob(oid: string): Buffer | undefined {
    return this.#blobs.get(oid);
  }

  tree(oid: string): readonly TreeEntry[] | undefined {
    return this.#trees.get(oid);
  }

  commit(oid: string): GitCommit | undefined {
    return this.#commits.get(oid);
  }

  /** The commits whose id starts with this text. */
  commitsLike(start: string): GitCommit[] {
    return [...this.#commits.values()].filter(({ oid }) => oid.startsWith(start));
  }

  writeTree(files: Files): string {
    const folders = new Map<string, Map<string, string>>();
    const entries: TreeEntry[] = [];
    for (const [path, oid] of files) {
      const [name = path, rest] = path.split(/\/(.*)/s);
      if (rest === undefined) entries.push({ name, mode: "100644", oid });
      else folders.set(name, (folders.get(name) ?? new Map<string, string>()).set(rest, oid));
    }
    for (const [name, inner] of folders) {
      entries.push({ name, mode: "040000", oid: this.writeTree(inner) });
    }
    return this.#keepTree(entries.toSorted(byGitOrder), files);
  }

  #keepTree(entries: readonly TreeEntry[], files: Files): string {
    const parts = entries.flatMap(({ mode, name, oid }) => [
      Buffer.from(`${mode.replace(/^0/, "")} ${name}\0`),
      Buffer.from(oid, "hex"),
    ]);
    const oid = hash("tree", Buffer.concat(parts));
    this.#trees.set(oid, entries);
    this.#files.set(oid, new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1))));
    return oid;
  }

  writeCommit(commit: Omit<GitCommit, "oid">): GitCommit {
    const lines = [
      `tree ${commit.tree}`,
      ...commit.parents.map((parent) => `parent ${parent}`),
      `author ${stamp(commit.author)}`,
      `committer ${stamp(commit.committer)}`,
    ];
    const text = `${lines.join("\n")}\n\n${commit.message}`;
    const kept = { ...commit, oid: hash("commit", Buffer.from(text)) };
    this.#commits.set(kept.oid, kept);
    return kept;
  }

  /** Every file below a tree, sorted by path. */
  filesOf(tree: string): Files {
    return this.#files.get(tree) ?? new Map<string, string>();
  }

  filesAt(commit: string): Files {
    const found = this.commit(commit);
    return found === undefined ? new Map<string, string>() : this.filesOf(found.tree);
  }
}

/** Git sorts folders as if their name ended in a slash. */
function byGitOrder(a: TreeEntry, b: TreeEntry): number {
  const key = ({ name, mode }: TreeEntry): string => (mode === "040000" ? `${name}/` : name);
  return key(a) < key(b) ? -1 : 1;
}

function stamp({ name, email, date }: GitActor): string {
  return `${name} <${email}> ${Math.floor(Date.parse(date) / 1000)} +0000`;
}
