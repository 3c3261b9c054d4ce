// npm run deploy:local
// Runs the topology of deploy/ as processes on loopback.
// npm run deploy:local -- --restart [--rounds N]
// Adds load, restarts and kills, and prints a table at the end.
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rollingRestart, runLoad } from "../test/deploy/load.ts";
import { SECRETS, startTopology } from "../test/deploy/topology.ts";
import type { Topology } from "../test/deploy/topology.ts";

const { values } = parseArgs({
  options: {
    restart: { type: "boolean", default: false },
    rounds: { type: "string", default: "3" },
  },
});

const main = fileURLToPath(new URL("../packages/cli/src/main.ts", import.meta.url));
const command = [process.execPath, "-C", "@waybill/source", "--import", "tsx", main] as const;

async function printDeployment({
  url,
  ca,
  folder,
  provider,
  gatewayPorts,
}: Topology): Promise<void> {
  const file = join(folder, "ca.pem");
  await writeFile(file, ca);
  const token = await provider.sign({ sub: "you", groups: ["waybill-page"] });
  const lines = [
    "Three NATS servers, two workers, two gateways and a GitHub to try run on this machine.",
    "",
    `  export TOKEN=${token}`,
    `  curl --cacert ${file} -H "authorization: Bearer $TOKEN" -H "content-type: application/json" \\`,
    `    -d '{"params":{"owner":"octo","name":"hello"}}' ${url}/v1/execute/team.repo.view`,
    "",
    `  the page:  ${url}/#token=$TOKEN   (after npm run build)`,
    `  metrics:   curl -H "authorization: Bearer ${SECRETS.WAYBILL_METRICS_TOKEN}" http://127.0.0.1:${gatewayPorts[0]}/metrics`,
    `  audit log: ${join(folder, "audit.jsonl")}`,
    "",
    "Ctrl-C ends everything.",
  ];
  console.log(lines.join("\n"));
}

/** In each round: restarts everything gracefully, kills a server, and kills a worker. */
async function restart(topology: Topology, rounds: number): Promise<number> {
  const [worker] = topology.workers;
  const kill = [
    "kill a worker",
    async () => {
      await worker!.stop("SIGKILL");
      await worker!.start();
    },
  ] as const;
  const steps = Array.from({ length: rounds }, () => [
    ...rollingRestart(topology, topology.servers.length),
    kill,
  ]).flat();
  const { reads, writes, failed, created, doubled, seconds } = await runLoad(topology, steps);
  console.table({ reads, writes, failed: failed.length, created, doubled, steps: steps.length });
  console.log(`${seconds.toFixed(1)} s`);
  for (const line of failed.slice(0, 20)) console.error(line);
  return failed.length + doubled;
}

const undo: (() => Promise<void>)[] = [];
try {
  const topology = await startTopology(command, (task) => undo.unshift(task));
  if (values.restart) process.exitCode = await restart(topology, Number(values.rounds));
  else {
    await printDeployment(topology);
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  }
} finally {
  for (const task of undo) await task();
}
