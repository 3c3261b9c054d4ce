// Sends unusual inputs through every surface: npm run fuzz -- [--count N] [--seed S] [--door NAME]
import { parseArgs } from "node:util";
import { DOORS } from "../test/fuzz/doors.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "250000" },
    seed: { type: "string", default: "7" },
    door: { type: "string" },
  },
});

for (const [name, { door, share }] of Object.entries(DOORS)) {
  if (values.door !== undefined && values.door !== name) continue;
  const count = Math.round(Number(values.count) * share);
  const started = performance.now();
  const violations = await door(count, Number(values.seed));
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`${name}: ${count} inputs, ${violations.length} violations, ${seconds} s`);
  for (const violation of violations.slice(0, 10)) console.log(violation);
  if (violations.length > 0) process.exitCode = 1;
}
process.exit();
