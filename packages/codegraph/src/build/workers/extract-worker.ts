import { parentPort } from "node:worker_threads";
import { extractFile } from "./extract-file.ts";
import type { ExtractJob } from "./extract-file.ts";

interface Batch {
  readonly root: string;
  readonly jobs: readonly ExtractJob[];
}

async function extract({ root, jobs }: Batch): Promise<void> {
  const facts: Awaited<ReturnType<typeof extractFile>>[] = [];
  for (const job of jobs) facts.push(await extractFile(root, job));
  const numbers = facts.flatMap((fact) => (fact ? [fact.numbers.buffer] : []));
  parentPort?.postMessage(facts, numbers);
}

parentPort?.on("message", (batch: Batch) => {
  void extract(batch);
});
