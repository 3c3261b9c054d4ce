import { once } from "node:events";
import { PassThrough } from "node:stream";
import { connectNats } from "@waybill/nats";
import { expect, it, onTestFinished } from "vitest";
import { newService } from "../../../../test/support/nats.ts";
import { startCluster } from "../../../../test/support/nats-server.ts";
import { describeWithProgram } from "../../../../test/support/programs.ts";
import { main } from "../cli.ts";
import { jsonOf, makeWorld } from "../fixtures/world.ts";

/**
 * Serves a write with an idempotency key. Returns on how many NATS servers its journal is stored.
 */
async function countReplicas(url: string, nats: object, service = newService()): Promise<number> {
  const world = await makeWorld(onTestFinished);
  await world.writeUserConfig({ nats });
  const interruption = new AbortController();
  const stdout = new PassThrough({ encoding: "utf8" });
  const ended = main({
    argv: ["serve", "nats", "--server", url, "--service", service, "--open"],
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    env: world.env,
    cwd: world.project,
    isTTY: false,
    signal: interruption.signal,
  });
  await once(stdout, "data");
  const via = `${url}/${service}`;
  const words = ["run", "item.create", "title=a", "--idempotency-key", "k", "--via", via];
  expect(jsonOf(await world.run(words))).toMatchObject({ ok: true });
  const link = await connectNats({ servers: url, service });
  const subject = `$JS.API.STREAM.INFO.KV_${service}-journal`;
  const info = await link.connection.request(subject, "", { timeout: 60_000 });
  const { config } = info.json<{ config: { num_replicas: number } }>();
  await link.close();
  interruption.abort();
  await ended;
  return config.num_replicas;
}

describeWithProgram("nats-server", () => {
  it("waybill serve nats keeps its journal on all servers of a cluster, or on at least nats.replicas servers", async () => {
    const [server] = await startCluster(onTestFinished);
    expect(await countReplicas(server!.url, {})).toBe(3);
    const service = newService();
    expect(await countReplicas(server!.url, { replicas: 2 }, service)).toBe(2);
    expect(await countReplicas(server!.url, {}, service)).toBe(3);
    expect(await countReplicas(server!.url, { replicas: 2 }, service)).toBe(3);
  });
});
