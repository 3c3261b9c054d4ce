import { indexStamp } from "../git/read-git-files.ts";
import type { GitRun } from "../git/run.ts";
import type { CodeGraph } from "../graph/index.ts";
import type { ChangedFile } from "../query/index.ts";
import { changedFiles, readRevision } from "./git-changes.ts";

const MAX_KEPT = 16;

/** Git's changes of a tree, cached while the files, the commit and the index stay the same. */
export class KnownChanges {
  #graph: CodeGraph | undefined;
  #index: string | undefined;
  readonly #known = new Map<string, Promise<readonly ChangedFile[]>>();

  /** `graph` identifies the state of the files: a changed file creates a new graph. */
  async since(since: string, graph: CodeGraph, run: GitRun): Promise<readonly ChangedFile[]> {
    const index = indexStamp(run.cwd);
    if (index === undefined) return changedFiles(since, run);
    if (this.#graph !== graph || this.#index !== index) this.#known.clear();
    [this.#graph, this.#index] = [graph, index];
    const isName = since === "staged" || since === "working";
    const key = isName ? since : await readRevision(since, run);
    const known = this.#known.get(key);
    if (known) return known;
    // Runs without the caller's signal, because other callers may wait for the same result.
    const changes = changedFiles(key, { cwd: run.cwd });
    if (this.#known.size >= MAX_KEPT) this.#known.clear();
    this.#known.set(key, changes);
    changes.catch(() => this.#known.delete(key));
    return changes;
  }
}
