// npm run benchmark:check
import { EXPLAINED } from "../mutants/explained.ts";
import { killMutants } from "../mutants/kill.ts";
import { readScenarios } from "../scenario/read.ts";
import { collectionProblems, scenarioProblems } from "./check-scenarios.ts";
import type { Scenario } from "../types.ts";
import { trajectoryProblems } from "./check-trajectories.ts";

/** Every third scenario, to keep the check short; `npm run benchmark:mutants` tries all. */
const EVERY = 3;
const MUTANTS = 3;

async function mutantProblems(all: readonly Scenario[]): Promise<string[]> {
  const sample = all.filter(
    ({ id, kind }, index) => kind !== "code" && index % EVERY === 0 && !(id in EXPLAINED),
  );
  const problems: string[] = [];
  for (const scenario of sample) {
    const results = await killMutants(scenario, { most: MUTANTS });
    const accepted = results.filter(({ isKilled }) => !isKilled);
    problems.push(...accepted.map(({ what }) => `${scenario.id}: its oracle accepts ${what}`));
  }
  return problems;
}

const scenarios = readScenarios();
const problems = [
  ...collectionProblems(scenarios),
  ...scenarios.flatMap(scenarioProblems),
  ...trajectoryProblems(scenarios),
  ...(await mutantProblems(scenarios)),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(
    "If you added or changed a scenario, play it with: npm run benchmark -- --scenarios <id>",
  );
  process.exitCode = 1;
} else {
  console.log(`${scenarios.length} scenarios and their trajectories have no problems`);
}
