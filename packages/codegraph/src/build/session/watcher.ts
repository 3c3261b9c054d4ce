import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { gitFolderAbove } from "../../git/read-git-files.ts";
import type { Files } from "../../graph/index.ts";
import { getFolders } from "../resolve/tree.ts";

/**
 * The most folders to watch. Larger trees are polled, because the system's number of watches is
 * limited.
 */
const MAX_FOLDERS = 4096;
const QUIET_MS = 40;
const POLL_MS = 2000;

/** Stands for the checked-out commit in a list of changed paths. */
export const HEAD = ".git/HEAD";

/** The function that reads changed files. */
export type Refresh = (paths: readonly string[]) => Promise<void>;

/**
 * Watches every folder that contains a file of the graph. A recursive watch on Linux would also
 * watch node_modules.
 */
export class TreeWatcher {
  readonly #root: string;
  readonly #refresh: Refresh;
  readonly #folders = new Map<string, FSWatcher>();
  readonly #changed = new Set<string>();
  #git: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isPolling = false;
  #isClosed = false;

  constructor(root: string, refresh: Refresh) {
    this.#root = root;
    this.#refresh = refresh;
  }

  get pending(): number {
    return this.#changed.size - (this.#changed.has(HEAD) ? 1 : 0);
  }

  get mode(): "events" | "polling" | "off" {
    if (this.#isClosed) return "off";
    return this.#isPolling ? "polling" : "events";
  }

  /** Watches the folders of these files, and stops watching all others. */
  follow(files: Files): void {
    const wanted = getFolders(getPaths(files));
    const isFirst = this.#folders.size === 0;
    for (const [folder, watcher] of this.#folders) {
      if (!wanted.has(folder)) this.#drop(folder, watcher);
    }
    const before = this.#folders.size;
    if (wanted.size > MAX_FOLDERS) this.#poll();
    else for (const folder of wanted) this.#watch(folder);
    this.#watchGit();
    // Changes in a new folder before it was watched caused no event, so it is read now.
    if (!isFirst && this.#folders.size > before) this.#noticed("", null);
  }

  /** Reads all changes that were detected so far, and waits for running reads. */
  async settle(): Promise<void> {
    // Pending events arrive in the next turn, and the first one may close this watcher.
    await setImmediate();
    await setImmediate();
    if (this.#changed.size > 0 && !this.#isPolling && !this.#isClosed) {
      clearTimeout(this.#timer);
      this.#running = this.#run();
    }
    await this.#running;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#git?.close();
    for (const [folder, watcher] of this.#folders) this.#drop(folder, watcher);
  }

  /** Git locks HEAD for every new commit, even if only the branch moves. */
  #watchGit(): void {
    if (this.#git || this.#isPolling || this.#isClosed) return;
    try {
      const folder = gitFolderAbove(this.#root);
      if (folder === undefined) return;
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name?.startsWith("HEAD") !== false) this.#note(HEAD);
      });
      watcher.on("error", () => watcher.close());
      this.#git = watcher;
    } catch {
      // If the file cannot be watched, a new commit is detected when the whole tree is next
      // checked.
    }
  }

  #watch(folder: string): void {
    if (this.#isPolling || this.#isClosed || this.#folders.has(folder)) return;
    try {
      const watcher = watch(join(this.#root, folder), { persistent: false }, (_, name) =>
        this.#noticed(folder, name),
      );
      watcher.on("error", () => this.#drop(folder, watcher));
      this.#folders.set(folder, watcher);
    } catch {
      // The system has no watches left, or the folder is gone.
      this.#poll();
    }
  }

  #drop(folder: string, watcher: FSWatcher): void {
    watcher.close();
    this.#folders.delete(folder);
  }

  #noticed(folder: string, name: string | null): void {
    if (name === ".git" || name === "node_modules" || (folder === "" && name === ".waybill"))
      return;
    this.#note(folder === "" ? (name ?? ".") : `${folder}/${name ?? "."}`);
  }

  #note(path: string): void {
    this.#changed.add(path);
    this.#schedule(QUIET_MS);
  }

  #poll(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    this.#git?.close();
    for (const [folder, watcher] of this.#folders) this.#drop(folder, watcher);
    this.#schedule(POLL_MS);
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run();
    }, delay);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    const paths = this.#isPolling ? ["."] : [...this.#changed];
    this.#changed.clear();
    await this.#refresh(paths);
    if (this.#isPolling) this.#schedule(POLL_MS);
  }
}

function* getPaths(files: Files): Generator<string> {
  for (let file = 0; file < files.count; file++) yield files.path(file);
}
