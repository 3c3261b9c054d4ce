import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connectNats } from "@waybill/nats";

export function isInstalled(): boolean {
  return spawnSync("nats-server", ["--version"]).status === 0;
}

async function answers(servers: string): Promise<boolean> {
  try {
    await (await connectNats({ servers })).close();
    return true;
  } catch {
    return false;
  }
}

/** Starts a NATS server with JetStream on a free port, only for this example. */
export async function startServer(): Promise<{ url: string; stop: () => void }> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const folder = mkdtempSync(join(tmpdir(), "waybill-example-"));
  const flags = ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", folder];
  const server = spawn("nats-server", flags, { stdio: "ignore" });
  const url = `nats://127.0.0.1:${port}`;
  while (server.exitCode === null && !(await answers(url))) await delay(50);
  const stop = (): void => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, stop };
}
