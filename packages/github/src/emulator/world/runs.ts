import type { CheckRun, Conclusion, Step, WorkflowRun } from "../store/model.ts";
import { queueJob } from "../store/mutations/runs.ts";
import type { Seed } from "./seed.ts";

interface PlayedStep {
  readonly name: string;
  readonly lines: readonly string[];
  readonly conclusion?: Conclusion;
}

const SET_UP: PlayedStep = {
  name: "Set up job",
  lines: ["Current runner version: '2.319.1'", "Operating System: Ubuntu 22.04.4 LTS"],
};

const CHECKOUT: PlayedStep = {
  name: "Run actions/checkout@v4",
  lines: ["Syncing repository: octo/hello", "[command]/usr/bin/git checkout --progress --force"],
};

export const LINT: readonly PlayedStep[] = [
  SET_UP,
  CHECKOUT,
  { name: "Run npm run lint", lines: ["> @octo/hello@1.0.0 lint", "> eslint src"] },
];

const INSTALL: PlayedStep = {
  name: "Run npm ci",
  lines: ["added 142 packages in 4s", "##[warning]npm warn deprecated glob@7.2.3"],
};

export const TEST_GREEN: readonly PlayedStep[] = [
  SET_UP,
  CHECKOUT,
  INSTALL,
  { name: "Run npm test", lines: ["✓ test/greet.test.ts (1 test)", "Tests  1 passed (1)"] },
];

export const TEST_RED: readonly PlayedStep[] = [
  SET_UP,
  CHECKOUT,
  INSTALL,
  {
    name: "Run npm test",
    lines: [
      "✓ greets by name",
      "✗ greets nobody in particular",
      "AssertionError: expected 'Hello, !' to be 'Hello!'",
      "##[error]test/greet.test.ts:9:21 expected 'Hello, !' to be 'Hello!'",
      "##[error]Process completed with exit code 1.",
    ],
    conclusion: "FAILURE",
  },
];

/** Runs a job to its end. Steps after a failed one are skipped, as on GitHub. */
export function playJob(
  seed: Seed,
  run: WorkflowRun,
  name: string,
  steps: readonly PlayedStep[],
): CheckRun {
  const job = queueJob(seed.store, run, name);
  job.steps.push(...steps.map((step, index) => playStep(seed, step, index + 1)));
  const failed = steps.some(({ conclusion }) => conclusion === "FAILURE");
  Object.assign(job, {
    status: "COMPLETED",
    conclusion: failed ? "FAILURE" : "SUCCESS",
    completedAt: seed.store.now(),
  });
  if (failed) job.annotations.push(FAILURE_NOTE);
  seed.store.touch(run, job);
  return job;
}

const FAILURE_NOTE = {
  path: "test/greet.test.ts",
  line: 9,
  level: "FAILURE",
  message: "expected 'Hello, !' to be 'Hello!'",
} as const;

function playStep(
  seed: Seed,
  { name, lines, conclusion = "SUCCESS" }: PlayedStep,
  number: number,
): Step {
  const startedAt = seed.store.now();
  seed.tick(1);
  const log = lines.map((line) => `${startedAt.replace("Z", ".0000000Z")} ${line}\n`).join("");
  const completedAt = seed.store.now();
  return { name, number, log, status: "COMPLETED", conclusion, startedAt, completedAt };
}

/** Leaves a job with its last step running. */
export function leaveRunning(seed: Seed, run: WorkflowRun, name: string): CheckRun {
  const job = playJob(seed, run, name, [SET_UP, CHECKOUT]);
  return Object.assign(job, { status: "IN_PROGRESS", conclusion: null, completedAt: null });
}
