import { getJobs } from "./store/facts.ts";
import type { CheckRun, WorkflowRun } from "./store/model.ts";
import { zip } from "./zip.ts";

export function jobLog({ steps }: CheckRun): string {
  return steps.map(({ log }) => log).join("");
}

/**
 * The zip of a run's logs: one file for each job, and a folder with one file for each step, as on
 * GitHub.
 */
export function runLogs(run: WorkflowRun, attempt = run.attempt): Buffer {
  const jobs = getJobs(run, attempt);
  const whole = jobs.map((job, index) => ({
    name: `${index}_${safe(job.name)}.txt`,
    content: Buffer.from(jobLog(job)),
  }));
  const parts = jobs.flatMap((job) =>
    job.steps.map((step) => ({
      name: `${safe(job.name)}/${step.number}_${safe(step.name)}.txt`,
      content: Buffer.from(step.log),
    })),
  );
  return zip([...whole, ...parts]);
}

/** A slash in the name would create a folder. */
function safe(name: string): string {
  return name.replaceAll(/[/:]/g, "");
}
