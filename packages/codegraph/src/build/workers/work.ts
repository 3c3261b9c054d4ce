import type { ReadFile, ReadJob } from "../modules/read-file.ts";
import type { FileSymbolData } from "../symbols/index.ts";
import type { ExtractJob } from "./extract-file.ts";

/** The kinds of work on files, with their results. */
interface Work {
  readonly modules: { readonly job: ReadJob; readonly answer: ReadFile };
  readonly symbols: { readonly job: ExtractJob; readonly answer: FileSymbolData | undefined };
}

export type WorkKind = keyof Work;
export type Job<Kind extends WorkKind> = Work[Kind]["job"];
export type Answer<Kind extends WorkKind> = Work[Kind]["answer"];
type Worker<Kind extends WorkKind> = (root: string, job: Job<Kind>) => Promise<Answer<Kind>>;

/** Loaded on demand, so that reading modules does not wait for the code that reads symbols. */
export const WORKERS: { readonly [Kind in WorkKind]: () => Promise<Worker<Kind>> } = {
  modules: async () => (await import("../modules/read-file.ts")).readFile,
  symbols: async () => (await import("./extract-file.ts")).extractFile,
};

/** All jobs. Each thread takes the next free ones. */
export interface Errand<Kind extends WorkKind = WorkKind> {
  readonly kind: Kind;
  readonly root: string;
  readonly jobs: readonly Job<Kind>[];
  /** Shared between threads: the number of taken jobs. */
  readonly taken: Int32Array<SharedArrayBuffer>;
}

/** The results of some jobs, starting at this one. */
export interface Part<Kind extends WorkKind = WorkKind> {
  readonly from: number;
  readonly answers: readonly Answer<Kind>[];
}

/** Takes `count` jobs and returns the first. There may be fewer left, or none. */
export function take({ taken }: Errand, count: number): number {
  return Atomics.add(taken, 0, count);
}

/** The number of jobs that are still free. */
export function left({ taken, jobs }: Errand): number {
  return Math.max(0, jobs.length - Atomics.load(taken, 0));
}

/** Marks all jobs as taken, so that no more are started. */
export function stop({ taken, jobs }: Errand): void {
  Atomics.store(taken, 0, jobs.length);
}
