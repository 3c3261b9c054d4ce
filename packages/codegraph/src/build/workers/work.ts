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

/** Loaded when it is wanted: who reads modules does not wait for what reads symbols. */
export const WORKERS: { readonly [Kind in WorkKind]: () => Promise<Worker<Kind>> } = {
  modules: async () => (await import("../modules/read-file.ts")).readFile,
  symbols: async () => (await import("./extract-file.ts")).extractFile,
};

/** All jobs, of which each thread takes the next ones that nobody has taken. */
export interface Errand<Kind extends WorkKind = WorkKind> {
  readonly kind: Kind;
  readonly root: string;
  readonly jobs: readonly Job<Kind>[];
  /** Shared between threads: how many are taken. */
  readonly taken: Int32Array<SharedArrayBuffer>;
}

/** The answers of some jobs, from this one on. */
export interface Part<Kind extends WorkKind = WorkKind> {
  readonly from: number;
  readonly answers: readonly Answer<Kind>[];
}

/** The first of so many jobs that are the caller's now; there may be fewer left, or none. */
export function take({ taken }: Errand, count: number): number {
  return Atomics.add(taken, 0, count);
}

/** How many nobody has taken yet. */
export function left({ taken, jobs }: Errand): number {
  return Math.max(0, jobs.length - Atomics.load(taken, 0));
}

/** Nobody takes any more. */
export function stop({ taken, jobs }: Errand): void {
  Atomics.store(taken, 0, jobs.length);
}
