import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ResultEnvelope } from "@waybill/core";
import { root } from "../../../scripts/run.mjs";
import { untruths } from "./check.ts";
import { chance } from "./cuts.ts";
import { Ledger } from "./ledger.ts";
import { SHAPES, programFor } from "./programs.ts";
import type { FaultProgram } from "./programs.ts";

const CHILD = fileURLToPath(new URL("./killed-runner.ts", import.meta.url));
const WRITES = 4;

export interface KillTally {
  kills: number;
  finished: number;
  unknown: number;
  readonly problems: string[];
}

/** A process that runs programs and is killed at some write. */
class Victim {
  readonly process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(folder: string, url: string) {
    const flags = ["-C", "@waybill/source", "--import", "tsx", CHILD, folder, url];
    const stdio = ["pipe", "pipe", "inherit"] as const;
    this.process = spawn(process.execPath, flags, { cwd: root, stdio: [...stdio] });
    this.#lines = createInterface(this.process.stdout!)[Symbol.asyncIterator]();
  }

  /** Undefined if the process died before it answered. */
  async line(): Promise<string | undefined> {
    const line = await this.#lines.next();
    return line.done === true ? undefined : line.value;
  }

  run(key: string, program: string): void {
    this.process.stdin!.write(`${JSON.stringify({ key, program })}\n`);
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill("SIGKILL");
    await once(this.process, "exit");
  }
}

interface Upstream {
  readonly url: string;
  /** Called with every write, before or after it is applied. */
  onWrite: (text: string, apply: () => void) => Promise<void>;
  close(): Promise<void>;
}

async function startUpstream(ledger: Ledger): Promise<Upstream> {
  const upstream = { url: "", onWrite: async (_text: string, apply: () => void) => apply() };
  const server = createServer((request, response) => {
    void (async () => {
      let text = "";
      for await (const chunk of request) text += String(chunk);
      await upstream.onWrite(text, () => ledger.apply(text));
      response.end("ok");
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  upstream.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(upstream, {
    async close() {
      server.closeAllConnections();
      server.close();
    },
  });
}

/**
 * Runs a program in a process that is killed at one of its writes, then again in another process.
 */
async function killOnce(
  program: FaultProgram & { readonly key: string },
  upstream: Upstream,
  {
    folder,
    ledger,
    at,
  }: { folder: string; ledger: Ledger; at: { write: number; isApplied: boolean } },
  tally: KillTally,
): Promise<void> {
  let seen = 0;
  const victim = new Victim(folder, upstream.url);
  upstream.onWrite = async (_text, apply) => {
    const isHere = seen++ === at.write;
    if (!isHere || at.isApplied) apply();
    if (isHere) await victim.kill();
  };
  await victim.line();
  victim.run(program.key, program.program);
  await victim.line();
  await victim.kill();
  tally.kills += 1;
  upstream.onWrite = async (_text, apply) => apply();
  const next = new Victim(folder, upstream.url);
  await next.line();
  next.run(program.key, program.program);
  const answer = await next.line();
  await next.kill();
  const result = JSON.parse(answer ?? "null") as ResultEnvelope;
  if (result.ok) tally.finished += 1;
  else tally.unknown += 1;
  tally.problems.push(...untruths(result, program, ledger.of(program.key)));
}

/** Processes that are killed in the middle of a program, and others that continue with it. */
export async function playKills(count: number, seed: number): Promise<KillTally> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-code-kills-"));
  const ledger = new Ledger();
  const upstream = await startUpstream(ledger);
  const random = chance(seed);
  const tally: KillTally = { kills: 0, finished: 0, unknown: 0, problems: [] };
  try {
    for (let index = 0; index < count; index++) {
      const key = `kill${index}`;
      const program = { key, ...programFor(key, Math.floor(random() * SHAPES), WRITES) };
      const at = { write: Math.floor(random() * WRITES), isApplied: random() < 0.5 };
      await killOnce(program, upstream, { folder, ledger, at }, tally);
    }
    return tally;
  } finally {
    await upstream.close();
    await rm(folder, { recursive: true, force: true });
  }
}
