// npm run storm -- [--calls N]
// Sends many calls while a worker and the NATS server are killed.
// npm run storm -- --cluster [--keys N] [--faults N]
// Sends keyed writes while three servers and the workers are killed in turn.
import { parseArgs } from "node:util";
import { clusterStorm } from "../test/nats/cluster-storm.ts";
import { storm, getTable } from "../test/nats/storm.ts";
import type { CleanUp } from "../test/support/nats-server.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "10000" },
    cluster: { type: "boolean", default: false },
    keys: { type: "string", default: "5000" },
    faults: { type: "string", default: "20" },
  },
});

async function runStorm(cleanUp: CleanUp): Promise<readonly string[]> {
  const { ended, violations } = await storm(Number(values.calls), cleanUp);
  console.log(`${getTable(ended)}\n\n${ended.length} calls`);
  return violations;
}

async function runCluster(cleanUp: CleanUp): Promise<readonly string[]> {
  const { keys, faults, calls, unknown, violations } = await clusterStorm(
    Number(values.keys),
    Number(values.faults),
    cleanUp,
  );
  console.log(`${keys} keys, ${calls} calls, ${faults} faults, ${unknown} unknown at the end`);
  return violations;
}

const undo: (() => Promise<void>)[] = [];
const cleanUp: CleanUp = (task) => undo.unshift(task);
const started = performance.now();
try {
  const violations = await (values.cluster ? runCluster(cleanUp) : runStorm(cleanUp));
  console.log(`${((performance.now() - started) / 1_000).toFixed(1)} s`);
  console.log(`${violations.length} violations`);
  for (const violation of violations.slice(0, 20)) console.error(violation);
  process.exitCode = violations.length === 0 ? 0 : 1;
} finally {
  for (const task of undo) await task();
}
