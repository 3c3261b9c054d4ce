// Many calls while a worker and the NATS server die: npm run storm -- [--calls N]
import { parseArgs } from "node:util";
import { storm, tableOf } from "../test/nats/storm.ts";

const { values } = parseArgs({ options: { calls: { type: "string", default: "10000" } } });
const undo: (() => Promise<void>)[] = [];
const started = performance.now();
try {
  const { ended, violations } = await storm(Number(values.calls), (task) => undo.unshift(task));
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`${tableOf(ended)}\n\n${ended.length} calls in ${seconds} s`);
  console.log(`${violations.length} violations`);
  for (const violation of violations.slice(0, 20)) console.error(violation);
  process.exitCode = violations.length === 0 ? 0 : 1;
} finally {
  for (const task of undo) await task();
}
