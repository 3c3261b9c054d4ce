import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { createVitest } from "vitest/node";
import type { TestModule, Vite, Vitest } from "vitest/node";
import { isIsolated } from "../../vitest.config.ts";
import { root } from "../run.mjs";
import { applyMutant, insertProbes } from "./find-mutants.ts";
import type { Mutant } from "./find-mutants.ts";

/** A request of the runner. It waits for the answer before the next one. */
export type Question =
  | { readonly type: "first run"; readonly mutants: readonly Mutant[]; readonly tests: string[] }
  | { readonly type: "try"; readonly mutant: Mutant; readonly testFiles: readonly string[] };

export type Answer =
  | { readonly type: "first run"; readonly testFiles: readonly TestFile[] }
  | { readonly type: "verdict"; readonly killedBy: string | undefined };

export interface TestFile {
  /** The path relative to the repository. */
  readonly path: string;
  readonly ms: number;
  /** The test that fails without a mutant. */
  readonly failure: string | undefined;
  /** Ids of the mutants whose code it runs. */
  readonly hits: readonly string[];
}

// This process keeps one Vitest with its transformed code. No source file is ever changed: a plugin
// changes the text that the tests load.
const PART_GROWTH = 4;
const workers = Number(process.env["WAYBILL_MUTANT_WORKERS"] ?? 1);
const hitsFolder = mkdtempSync(join(tmpdir(), "waybill-mutants-"));
process.env["WAYBILL_MUTANT_HITS"] = hitsFolder;
process.on("exit", () => rmSync(hitsFolder, { recursive: true, force: true }));
process.on("disconnect", () => process.exit());

let probed: readonly Mutant[] = [];
let active: Mutant | undefined;

process.on("message", (question: Question) => {
  void answerQuestion(question).then((reply) => process.send?.(reply));
});

async function answerQuestion(question: Question): Promise<Answer> {
  const vitest = await (opened ??= open());
  if (question.type === "first run") {
    return { type: "first run", testFiles: await firstRun(vitest, question) };
  }
  return { type: "verdict", killedBy: await tryMutant(vitest, question) };
}

let opened: Promise<Vitest> | undefined;

async function open(): Promise<Vitest> {
  const setupFiles = [fileURLToPath(new URL("record-hits.ts", import.meta.url))];
  const vitest = await createVitest(
    "test",
    {
      root,
      watch: false,
      reporters: [{}],
      setupFiles,
      maxWorkers: workers,
      // A thread starts several times faster than a process.
      pool: "threads",
      update: "none",
    },
    { plugins: [mutantPlugin()] },
  );
  await vitest.standalone();
  return vitest;
}

function mutantPlugin(): Vite.Plugin {
  return {
    name: "waybill-mutants",
    enforce: "pre",
    transform(code, id) {
      const file = relative(root, id.split("?")[0] ?? id);
      if (active?.file === file) return { code: applyMutant(code, active), map: null };
      const own = probed.filter((mutant) => mutant.file === file);
      return own.length === 0 ? undefined : { code: insertProbes(code, own), map: null };
    },
  };
}

async function firstRun(
  vitest: Vitest,
  { mutants, tests }: Extract<Question, { type: "first run" }>,
): Promise<TestFile[]> {
  probed = mutants;
  // Module isolation makes each test file run the code outside of functions, so that hits are
  // recorded for it.
  for (const { config } of vitest.projects) config.isolate = true;
  vitest.config.related = [...new Set(mutants.map(({ file }) => join(root, file)))];
  const chosen = await vitest.getRelevantTestSpecifications(tests);
  const { testModules } = await vitest.runTestSpecifications(chosen);
  const passed = testModules.filter((one) => one.ok());
  // A test may time out on a busy machine, so each failed one runs again alone.
  const again = testModules.filter((one) => !one.ok()).map((one) => one.moduleId);
  for (const file of again) passed.push(...(await runAgain(vitest, file)));
  probed = [];
  for (const file of new Set(mutants.map((mutant) => mutant.file))) forget(vitest, file);
  const hits = readHits();
  return passed.map((one) => toTestFile(one, hits.get(one.moduleId) ?? []));
}

async function runAgain(vitest: Vitest, file: string): Promise<TestModule[]> {
  const { testModules } = await vitest.runTestFiles([file]);
  return testModules.filter((one) => one.moduleId === file);
}

function toTestFile(one: TestModule, hits: readonly string[]): TestFile {
  const { duration, setupDuration, collectDuration } = one.diagnostic();
  return {
    path: relative(root, one.moduleId),
    ms: duration + setupDuration + collectDuration,
    failure: one.ok() ? undefined : nameFailure(one),
    hits,
  };
}

function readHits(): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(hitsFolder).map((name) => readFileSync(join(hitsFolder, name), "utf8"));
  return new Map(
    files.map((text) => {
      const { testPath, hits } = JSON.parse(text) as { testPath: string; hits: string[] };
      return [testPath, hits];
    }),
  );
}

/** The name of the test that fails with the mutant; undefined if all pass. */
async function tryMutant(
  vitest: Vitest,
  { mutant, testFiles }: Extract<Question, { type: "try" }>,
): Promise<string | undefined> {
  active = mutant;
  // For programs that tests bundle and start: `test/support/bundle.ts` applies the change.
  process.env["WAYBILL_MUTANT"] = JSON.stringify(mutant);
  forget(vitest, mutant.file);
  try {
    // Files that run together load the code once. Most mutants fail in the first file, so the parts
    // start small and grow.
    for (let at = 0, size = workers; at < testFiles.length; at += size, size *= PART_GROWTH) {
      const killedBy = await failureIn(vitest, testFiles.slice(at, at + size));
      if (killedBy !== undefined) return killedBy;
    }
    return undefined;
  } finally {
    active = undefined;
    delete process.env["WAYBILL_MUTANT"];
    forget(vitest, mutant.file);
  }
}

/** The first failure in some test files. Files that can share modules load them once. */
async function failureIn(vitest: Vitest, paths: readonly string[]): Promise<string | undefined> {
  const alone = paths.filter((path) => isIsolated(path));
  const together = paths.filter((path) => !alone.includes(path));
  return (await firstFailure(vitest, together, false)) ?? (await firstFailure(vitest, alone, true));
}

async function firstFailure(
  vitest: Vitest,
  paths: readonly string[],
  isolate: boolean,
): Promise<string | undefined> {
  if (paths.length === 0) return undefined;
  // Vitest counts failures over all runs, and would stop because of an earlier mutant.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  vitest.config.bail = 1;
  for (const { config } of vitest.projects) config.isolate = isolate;
  const files = paths.map((path) => join(root, path));
  const { testModules, unhandledErrors } = await vitest.runTestFiles(files);
  const failed = testModules.find((one) => files.includes(one.moduleId) && !one.ok());
  if (failed !== undefined) return nameFailure(failed);
  return unhandledErrors.length === 0 ? undefined : `${paths.join(", ")}: an unhandled error`;
}

function nameFailure(failed: TestModule): string {
  const [test] = failed.children.allTests("failed");
  const [error] = test?.result().errors ?? failed.errors();
  const name = test?.fullName ?? "the file does not load";
  return `${relative(root, failed.moduleId)}: ${name}: ${error?.message.split("\n")[0] ?? ""}`;
}

function forget(vitest: Vitest, file: string): void {
  vitest.invalidateFile(join(root, file));
}
