// Runs the whole fault matrix and prints it: npm run faults -- [--runs N] [--gh-runs N] [--seed S]
// On the real GitHub pack: npm run faults -- --github [--rounds N] [--seconds N]
import { parseArgs } from "node:util";
import type { Carrier } from "../test/faults/faults.ts";
import { DEATHS, die, meet, openKillBench } from "../test/faults/kills.ts";
import { runGithubMatrix } from "../test/faults/github-matrix.ts";
import { runMatrix } from "../test/faults/matrix.ts";
import { cells } from "../test/faults/plan.ts";
import { hasProgram, howToInstall } from "./setup.mjs";

const KILL_ROUNDS = 5;
const SETTLED_AT_LEAST = 0.95;

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Callers killed between every two steps of the journal, several times over. */
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

/** One carrier's matrix with its table, and what is wrong with it. */
async function runCarrier(carrier: Carrier, runs: number, seed: number): Promise<string[]> {
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
certain, told so        ${percent(certainShare)} of ${total.certain}
settled by looking      ${percent(settledShare)} of ${total.settleable}
too close to tell       ${total.unclear}`);
  const violations = [...tally.violations];
  if (certainShare < 1)
    violations.push(`only ${percent(certainShare)} of what is certain was told`);
  if (settledShare < SETTLED_AT_LEAST)
    violations.push(`only ${percent(settledShare)} were settled`);
  return violations;
}

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "12000" },
    "gh-runs": { type: "string", default: "1500" },
    seed: { type: "string", default: "1" },
    github: { type: "boolean", default: false },
    rounds: { type: "string", default: "8" },
    seconds: { type: "string", default: "3600" },
  },
});
const seed = Number(values.seed);

/** Every write capability of the pack, on each of its routes. */
async function runGithub(): Promise<string[]> {
  const until = performance.now() + Number(values.seconds) * 1_000;
  const web = { routes: ["graphql", "rest"], rounds: Number(values.rounds), seed, until } as const;
  const tallies = [await runGithubMatrix(web)];
  if (hasProgram("gh")) {
    tallies.push(await runGithubMatrix({ routes: ["cli"], rounds: 1, oneIn: 5, seed, until }));
  }
  return tallies.flatMap((tally) => {
    const { applied, settled, settledLater, unknown, writes } = tally.total;
    console.log(`${tally.table()}

lost writes             ${tally.writes}
settled at once         ${percent(settled / applied)} of ${applied} that were applied
settled by a repeat     ${percent(settledLater / applied)}
unknown after a repeat  ${percent(unknown / writes)} of ${writes}
violations              ${tally.violations.length}
`);
    const isEnough = settled / applied >= SETTLED_AT_LEAST;
    return [...tally.violations, ...(isEnough ? [] : ["too few were settled"])];
  });
}

if (values.github) {
  const wrong = await runGithub();
  for (const violation of wrong.slice(0, 50)) console.log(`  ${violation}`);
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
