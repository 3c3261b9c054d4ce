// npm run benchmark:check
import { readScenarios } from "../scenario/read.ts";
import { collectionProblems, scenarioProblems } from "./check-scenarios.ts";
import { trajectoryProblems } from "./check-trajectories.ts";

const scenarios = readScenarios();
const problems = [
  ...collectionProblems(scenarios),
  ...scenarios.flatMap(scenarioProblems),
  ...trajectoryProblems(scenarios),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error("A scenario that was added or changed is played by npm run benchmark");
  process.exitCode = 1;
} else {
  console.log(`${scenarios.length} scenarios are in order, and so are their trajectories`);
}
