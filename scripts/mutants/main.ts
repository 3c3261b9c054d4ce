import { parseArgs } from "node:util";
import { chooseMutants } from "./choose-mutants.ts";
import type { Mutant } from "./find-mutants.ts";
import { readReport, writeReport } from "./report.ts";
import type { Report } from "./report.ts";
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
  --seconds <n>   Start no mutant after this time (default: no limit)
  --continue      Try the mutants that the report does not have yet
  --survivors     Try the mutants of the report again that no test noticed
  --list          Print the mutants and run nothing`;

const started = performance.now();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    tests: { type: "string", multiple: true },
    workers: { type: "string", default: "1" },
    json: { type: "string", default: "node_modules/.cache/waybill/mutants.json" },
    seconds: { type: "string" },
    continue: { type: "boolean", default: false },
    survivors: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

const [target] = positionals;
if (target === undefined || positionals.length > 1) {
  console.error(usage);
  process.exitCode = 2;
} else {
  await runMutants(target);
}

async function runMutants(path: string): Promise<void> {
  const { found, chosen, files } = chooseMutants(path, whole("count"), whole("seed"));
  console.log(`${chosen.length} of ${found} mutants in ${files.length} files, seed ${values.seed}`);
  if (values.list) return chosen.forEach((mutant) => console.log(describeResult(mutant)));
  const earlier = readEarlier(chosen);
  const known = new Set(earlier.verdicts.map(({ mutant }) => mutant.id));
  const left = chosen.filter(({ id }) => !known.has(id));
  const runner = new Runner(whole("workers"));
  try {
    const testFiles =
      earlier.testFiles ?? (await firstRun(runner, left, values.tests ?? packageFolders(files)));
    const begun = { ...earlier, testFiles };
    writeReport(values.json, begun);
    report(await tryAll(runner, left, begun), chosen.length);
  } finally {
    runner.stop();
  }
}

/** Reads the earlier run that this one continues; without `--continue` there is none. */
function readEarlier(chosen: readonly Mutant[]): Report {
  const fresh = { target, seed: whole("seed"), testFiles: undefined, verdicts: [] };
  if (!values.continue && !values.survivors) return fresh;
  const ids = new Set(chosen.map(({ id }) => id));
  const { testFiles, verdicts } = readReport(values.json);
  const current = verdicts.filter(({ mutant }) => ids.has(mutant.id));
  if (!values.survivors) return { ...fresh, testFiles, verdicts: current };
  return { ...fresh, verdicts: current.filter(({ status }) => status === "killed") };
}

function whole(name: "count" | "seed" | "workers" | "seconds"): number {
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

async function tryAll(runner: Runner, left: readonly Mutant[], begun: Report): Promise<Verdict[]> {
  const verdicts = [...begun.verdicts];
  const endsAt = values.seconds === undefined ? Infinity : started + whole("seconds") * 1_000;
  for (const mutant of left) {
    if (performance.now() > endsAt) break;
    const own = begun.testFiles?.filter(({ hits }) => hits.includes(mutant.id)) ?? [];
    const verdict = await tryOne(runner, mutant, nearestFirst(own, mutant));
    console.log(`${verdict.status.padEnd(8)} ${describeResult(mutant)}`);
    verdicts.push(verdict);
    writeReport(values.json, { ...begun, verdicts });
  }
  return verdicts;
}

async function tryOne(runner: Runner, mutant: Mutant, own: readonly TestFile[]): Promise<Verdict> {
  if (own.length > 0) return runner.try(mutant, own);
  return { mutant, status: "no test", killedBy: undefined, ms: 0 };
}

/** Tests beside the file run first, then the others from fast to slow. */
function nearestFirst(own: readonly TestFile[], { file }: Mutant): TestFile[] {
  const shared = ({ path }: TestFile) => {
    const parts = path.split("/");
    const different = file.split("/").findIndex((part, index) => part !== parts[index]);
    return different === -1 ? parts.length : different;
  };
  return own.toSorted((a, b) => shared(b) - shared(a) || a.ms - b.ms);
}

function describeResult({ file, line, kind, original, replacement }: Mutant): string {
  return `${file}:${line} ${kind}: ${shorten(original)} → ${shorten(replacement)}`;
}

function shorten(text: string): string {
  const plain = text.replaceAll(/\s+/g, " ");
  return plain.length > 70 ? `${plain.slice(0, 67)}...` : plain;
}

function report(verdicts: readonly Verdict[], chosen: number): void {
  const left = verdicts.filter(({ status }) => status !== "killed");
  const killed = verdicts.length - left.length;
  const percent = ((100 * killed) / Math.max(1, verdicts.length)).toFixed(1);
  console.log(`\n${killed} of ${verdicts.length} killed (${percent} %)`);
  for (const { status, mutant } of left) console.log(`${status}: ${describeResult(mutant)}`);
  if (left.some(({ status }) => status === "no test")) {
    console.log(
      "No chosen test runs that code. For the tests of all packages add: --tests packages/",
    );
  }
  const untried = chosen - verdicts.length;
  if (untried > 0) console.log(`${untried} were not tried. To try them, add --continue.`);
  console.log(`Report: ${values.json}`);
}
