import { parentPort, workerData } from "node:worker_threads";
import { extractFile } from "./extract-file.ts";
import type { ExtractJob } from "./extract-file.ts";

const { root } = workerData as { root: string };

parentPort?.on("message", (jobs: readonly ExtractJob[]) => {
  const facts = jobs.map((job) => extractFile(root, job));
  const numbers = facts.flatMap((fact) => (fact ? [fact.numbers.buffer] : []));
  parentPort?.postMessage(facts, numbers);
});
