import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../run.mjs";
import { chooseMutants } from "./choose-mutants.ts";
import type { Mutant } from "./find-mutants.ts";
import { Runner } from "./runner.ts";
import type { Verdict } from "./runner.ts";
import type { TestFile } from "./session.ts";

const usage = `npm run mutants -- <package, folder or file[:line]> [options]

Changes the code in small ways, one at a time, and runs the tests that execute the changed code.
A change that no test notices has survived. No file is written: the change is made in memory.

  --count <n>     Number of mutants (default: 100)
  --seed <n>      Which mutants are chosen (default: 1)
  --tests <path>  Tests to run; repeatable (default: the tests of the package)
  --workers <n>   Test files at once (default: 1)
  --json <file>   Report (default: node_modules/.cache/waybill/mutants.json)
  --list          Print the mutants and run nothing`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    tests: { type: "string", multiple: true },
    workers: { type: "string", default: "1" },
    json: { type: "string", default: "node_modules/.cache/waybill/mutants.json" },
    list: { type: "boolean", default: false },
  },
});

const [target] = positionals;
if (target === undefined || positionals.length > 1) {
  console.error(usage);
  process.exitCode = 2;
} else {
  await main(target);
}

async function main(path: string): Promise<void> {
  const { found, chosen, files } = chooseMutants(path, whole("count"), whole("seed"));
  console.log(`${chosen.length} of ${found} mutants in ${files.length} files, seed ${values.seed}`);
  if (values.list) return chosen.forEach((mutant) => console.log(describe(mutant)));
  const runner = new Runner(whole("workers"));
  try {
    const testFiles = await firstRun(runner, chosen, values.tests ?? packageFolders(files));
    const verdicts = await tryAll(runner, chosen, testFiles);
    report(verdicts);
  } finally {
    runner.stop();
  }
}

function whole(name: "count" | "seed" | "workers"): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a whole number above 0, not "${values[name]}".`);
}

function packageFolders(files: readonly string[]): string[] {
  return [...new Set(files.map((file) => `${file.split("/").slice(0, 2).join("/")}/`))];
}

async function firstRun(
  runner: Runner,
  chosen: readonly Mutant[],
  tests: string[],
): Promise<readonly TestFile[]> {
  const start = performance.now();
  const all = await runner.firstRun(chosen, tests);
  for (const { failure } of all) {
    if (failure !== undefined) console.log(`not used, it fails without a mutant: ${failure}`);
  }
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`${all.length} test files ran without a mutant in ${seconds} s`);
  return all.filter(({ failure }) => failure === undefined);
}

async function tryAll(
  runner: Runner,
  chosen: readonly Mutant[],
  testFiles: readonly TestFile[],
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const mutant of chosen) {
    const own = testFiles.filter(({ hits }) => hits.includes(mutant.id));
    const verdict = await tryOne(runner, mutant, nearestFirst(own, mutant));
    console.log(`${verdict.status.padEnd(8)} ${describe(mutant)}`);
    verdicts.push(verdict);
  }
  return verdicts;
}

async function tryOne(runner: Runner, mutant: Mutant, own: readonly TestFile[]): Promise<Verdict> {
  if (own.length > 0) return runner.try(mutant, own);
  return { mutant, status: "no test", killedBy: undefined, ms: 0 };
}

/** The tests beside a file are made for it; of the others the quickest are asked first. */
function nearestFirst(own: readonly TestFile[], { file }: Mutant): TestFile[] {
  const shared = ({ path }: TestFile) => {
    const parts = path.split("/");
    const different = file.split("/").findIndex((part, index) => part !== parts[index]);
    return different === -1 ? parts.length : different;
  };
  return own.toSorted((a, b) => shared(b) - shared(a) || a.ms - b.ms);
}

function describe({ file, line, kind, original, replacement }: Mutant): string {
  return `${file}:${line} ${kind}: ${shorten(original)} → ${shorten(replacement)}`;
}

function shorten(text: string): string {
  const plain = text.replaceAll(/\s+/g, " ");
  return plain.length > 70 ? `${plain.slice(0, 67)}...` : plain;
}

function report(verdicts: readonly Verdict[]): void {
  const left = verdicts.filter(({ status }) => status !== "killed");
  const killed = verdicts.length - left.length;
  const percent = ((100 * killed) / Math.max(1, verdicts.length)).toFixed(1);
  console.log(`\n${killed} of ${verdicts.length} killed (${percent} %)`);
  for (const { status, mutant } of left) console.log(`${status}: ${describe(mutant)}`);
  if (left.some(({ status }) => status === "no test")) {
    console.log(
      "No chosen test runs that code. For the tests of all packages add: --tests packages/",
    );
  }
  const path = resolve(root, values.json);
  mkdirSync(dirname(path), { recursive: true });
  const summary = { target, seed: whole("seed"), killed, total: verdicts.length, verdicts };
  writeFileSync(path, `${JSON.stringify(summary, null, 2)}\n`);
  console.log(`Report: ${values.json}`);
}
