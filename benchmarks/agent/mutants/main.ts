// npm run benchmark:mutants: counts how many changed writes and answers the oracles reject.
import { readScenarios } from "../scenario/read.ts";
import { EXPLAINED } from "./explained.ts";
import { killMutants } from "./kill.ts";

/** Long lists have hundreds of mutants; this many, spread evenly, are enough. */
const MOST = 40;

const [only] = process.argv.slice(2);
const results = [];
for (const scenario of readScenarios()) {
  if (scenario.kind === "code" || (only !== undefined && scenario.id !== only)) continue;
  const tried = await killMutants(scenario, { most: MOST });
  const accepted = tried.filter(({ isKilled }) => !isKilled);
  const why = EXPLAINED[scenario.id] ?? "unexplained";
  for (const { what } of accepted) console.log(`accepted: ${scenario.id}, ${what} (${why})`);
  results.push(...tried);
}
const killed = results.filter(({ isKilled }) => isKilled).length;
console.log(
  `${killed} of ${results.length} mutants are rejected (${((100 * killed) / results.length).toFixed(1)} %)`,
);
