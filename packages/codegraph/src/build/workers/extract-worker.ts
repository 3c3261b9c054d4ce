import { parentPort } from "node:worker_threads";
import { extractFile } from "./extract-file.ts";
import type { ExtractJob } from "./extract-file.ts";

interface Batch {
  readonly root: string;
  readonly jobs: readonly ExtractJob[];
}

parentPort?.on("message", ({ root, jobs }: Batch) => {
  const facts = jobs.map((job) => extractFile(root, job));
  const numbers = facts.flatMap((fact) => (fact ? [fact.numbers.buffer] : []));
  parentPort?.postMessage(facts, numbers);
});
