// npm run faults -- [--runs N] [--gh-runs N] [--seed S]
// Runs the whole fault matrix and prints it. With 0 runs a part is skipped.
// npm run faults -- --github [--seed S] [--routes graphql,rest] [--doors mcp]
// Runs it on the real GitHub pack. --count N sends only N writes through the surfaces of this
// process. --commands N sends only N through the command, which is killed and whose clock jumps.
// --second repeats some on a second GitHub implementation. Long runs can be split: --save FILE
// appends the figures of one part, and --add FILE adds them up.
import { parseArgs } from "node:util";
import type { Carrier } from "../test/faults/faults.ts";
import { DEATHS, die, meet, openKillBench } from "../test/faults/kills.ts";
import type { CardRouteName } from "../test/faults/github/cells.ts";
import type { DoorName } from "../test/faults/github/doors.ts";
import { runCommandMatrix } from "../test/faults/github/command-matrix.ts";
import { runGithubMatrix } from "../test/faults/github/matrix.ts";
import { runSecondJudge } from "../test/faults/github/second-judge.ts";
import {
  addTallies,
  readTallies,
  reportTally,
  saveTally,
  shortfalls,
} from "../test/faults/github/report.ts";
import type { GithubTally, SavedTally } from "../test/faults/github/tally.ts";
import { runMatrix } from "../test/faults/matrix.ts";
import { cells } from "../test/faults/plan.ts";
import { startServer } from "../test/support/nats-server.ts";
import { hasProgram, howToInstall } from "./setup.mjs";

const KILL_ROUNDS = 5;
const SETTLED_AT_LEAST = 0.95;
/** How many writes use a separate process. Each takes about a second. */
const COMMANDS = "200";

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Kills callers between every two steps of the journal, several times. */
async function runKills(): Promise<string[]> {
  const bench = await openKillBench();
  const problems: string[] = [];
  try {
    for (let round = 0; round < KILL_ROUNDS; round++) {
      for (const [index, death] of DEATHS.entries()) {
        problems.push(...(await die(bench, death, `death-${round}-${index}`)));
      }
      problems.push(...(await meet(bench, `meeting-${round}`)));
    }
    return problems;
  } finally {
    await bench.close();
  }
}

/**
 * Runs the fault matrix with one sender of requests: our transport or `gh`. Returns its table and
 * problems.
 */
async function runCarrier(carrier: Carrier, runs: number, seed: number): Promise<string[]> {
  if (runs === 0) return [];
  const count = cells(carrier).length;
  const rounds = Math.max(1, Math.ceil(runs / count));
  console.log(`\nby ${carrier}: ${count} cells × ${rounds} rounds, seed ${seed}`);
  const started = performance.now();
  const tally = await runMatrix({ rounds, seed, journal: "disk", carrier });
  const seconds = Math.round((performance.now() - started) / 1_000);
  const { total, certainShare, settledShare } = tally;
  console.log(`${tally.table()}

runs                    ${count * rounds} (${total.runs} calls) in ${seconds} s
double applications     ${total.double}
violations              ${tally.violations.length} (applied twice, told falsely, or lost)
certain, reported so    ${percent(certainShare)} of ${total.certain}
settled by a probe      ${percent(settledShare)} of ${total.settleable}
found, owner unclear    ${total.unclear}`);
  const violations = [...tally.violations];
  if (certainShare < 1)
    violations.push(
      `only ${percent(certainShare)} of the certain outcomes were reported as certain`,
    );
  if (settledShare < SETTLED_AT_LEAST)
    violations.push(
      `probes settled only ${percent(settledShare)} of the outcomes that they could settle`,
    );
  return violations;
}

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "12000" },
    "gh-runs": { type: "string", default: "1500" },
    seed: { type: "string", default: "1" },
    github: { type: "boolean", default: false },
    routes: { type: "string", default: "graphql,rest,cli" },
    doors: { type: "string" },
    count: { type: "string" },
    seconds: { type: "string", default: "7200" },
    commands: { type: "string" },
    second: { type: "boolean", default: false },
    save: { type: "string" },
    add: { type: "string" },
  },
});
const seed = Number(values.seed);

/** Runs the surfaces and routes of this process. */
function runDoors(natsUrl: string | undefined, until: number): Promise<GithubTally> {
  const routes = values.routes.split(",") as CardRouteName[];
  const count = values.count === undefined ? {} : { count: Number(values.count) };
  const doors = values.doors === undefined ? {} : { doors: values.doors.split(",") as DoorName[] };
  return runGithubMatrix({ routes, seed, until, natsUrl, ...count, ...doors });
}

/** With `--count` only the surfaces of this process, with `--commands` only the command. */
async function runParts(natsUrl: string | undefined): Promise<GithubTally[]> {
  const until = performance.now() + Number(values.seconds) * 1_000;
  const { count: doorCount, commands = COMMANDS } = values;
  const tallies: GithubTally[] = [];
  if (values.commands === undefined) tallies.push(await runDoors(natsUrl, until));
  if (doorCount === undefined) {
    if (!hasProgram("faketime")) throw new Error(howToInstall("faketime"));
    tallies.push(await runCommandMatrix({ seed, count: Number(commands), natsUrl, until }));
  }
  return tallies;
}

async function runGithub(): Promise<SavedTally> {
  if (values.add !== undefined) return addTallies(readTallies(values.add));
  const undo: (() => Promise<void>)[] = [];
  const nats = hasProgram("nats-server")
    ? await startServer((task) => undo.unshift(task))
    : undefined;
  try {
    const tally = addTallies(await runParts(nats?.url));
    if (values.save !== undefined) saveTally(values.save, tally);
    return tally;
  } finally {
    for (const task of undo) await task();
  }
}

/** Repeats some writes on a GitHub implementation that is not ours. */
async function runSecond(): Promise<string[]> {
  if (!values.second) return [];
  const { writes, applied, settled, visible, settledLater, violations } = await runSecondJudge();
  console.log(`
on emulate              ${writes} lost writes, ${applied} applied
settled at once         ${settled} of ${visible} that can be read
settled by a repeat     ${settledLater}`);
  return violations;
}

if (values.github) {
  const tally = await runGithub();
  console.log(reportTally(tally));
  const wrong = [...shortfalls(tally), ...(await runSecond())];
  for (const each of wrong.slice(0, 50)) console.log(`  ${each}`);
  process.exit(wrong.length === 0 ? 0 : 1);
}
const violations = await runCarrier("http", Number(values.runs), seed);
if (hasProgram("gh")) violations.push(...(await runCarrier("gh", Number(values["gh-runs"]), seed)));
else violations.push(`gh is not installed, so its cells were not run. ${howToInstall("gh")}`);
violations.push(...(await runKills()));

console.log(`
kills                   ${DEATHS.length * KILL_ROUNDS}, and ${KILL_ROUNDS} pairs under one key
violations              ${violations.length}`);
for (const violation of violations.slice(0, 50)) console.log(`  ${violation}`);
process.exitCode = violations.length === 0 ? 0 : 1;
