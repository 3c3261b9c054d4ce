// npm run code-faults -- [--runs N] [--kills N] [--seed S]
// Runs programs with writes while connections are cut and processes are killed.
import { parseArgs } from "node:util";
import { playCuts } from "../test/code/faults/cuts.ts";
import { playKills } from "../test/code/faults/kills.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "3000" },
    kills: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
  },
});
const seed = Number(values.seed);
const cuts = await playCuts(Number(values.runs), seed);
console.log(`programs   ${cuts.runs}, run ${cuts.attempts} times, ${cuts.finished} finished`);
console.log(`problems   ${cuts.problems.length} so far`);
const kills = await playKills(Number(values.kills), seed);
console.log(`kills      ${kills.kills}, ${kills.finished} finished, ${kills.unknown} unknown`);
const problems = [...cuts.problems, ...kills.problems];
console.log(`problems   ${problems.length}`);
for (const problem of problems.slice(0, 50)) console.log(`  ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
