// npm run redos -- [door …]
// Sends every attack of the corpus through the command, in separate processes. The doors are its
// interfaces, such as `run`.
import { rm } from "node:fs/promises";
import { AttackedWorld } from "../test/redos/attacked-world.ts";
import { ATTACKS } from "../test/redos/corpus.ts";
import { DOORS } from "../test/redos/doors.ts";
import { bundleProgram, makeBundleFolder } from "../test/support/bundle.ts";

const asked = process.argv.slice(2);
const folder = makeBundleFolder();
const main = await bundleProgram(new URL("../packages/cli/src/main.ts", import.meta.url), folder);
for (const [name, door] of Object.entries(DOORS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const world = await AttackedWorld.open(ATTACKS);
  const started = performance.now();
  const problems = await door(world, main);
  await world.close();
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`${name}: ${problems.length} of ${ATTACKS.length} blocked, in ${seconds} s`);
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
await rm(folder, { recursive: true, force: true });
