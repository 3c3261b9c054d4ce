import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpTransport } from "@waybill/adapters/http";
import { createCodeRunner, memoryRunLog } from "@waybill/code";
import type { CodeRunner } from "@waybill/code";
import { createWaybill, memoryHandles, memoryJournal } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { findGithub, githubSource } from "@waybill/github";
import { startGithubEmulator } from "@waybill/github/emulator";
import type { GithubEmulator } from "@waybill/github/emulator";
import { benchWorld } from "../../benchmarks/agent/world/bench-world.ts";

export interface CodeWorld {
  readonly github: GithubEmulator;
  readonly waybill: Waybill;
  readonly runner: CodeRunner;
  /** The number of requests since the last call of this function. */
  requests(): number;
  close(): Promise<void>;
}

/** A GitHub with 240 issues, 130 commits and 120 comments in octo/atlas, and programs over it. */
export async function openCodeWorld(): Promise<CodeWorld> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-code-"));
  const github = await startGithubEmulator({ socket: join(folder, "s"), world: benchWorld });
  const place = await findGithub({ env: { WAYBILL_GITHUB: github.env }, state: folder });
  const transport = createHttpTransport();
  const source = githubSource(place, { env: {}, transport, userAgent: "test" });
  const waybill = createWaybill({
    sources: [source],
    journal: memoryJournal(),
    handles: memoryHandles(),
  });
  const runner = createCodeRunner({ log: memoryRunLog() });
  let seen = 0;
  return {
    github,
    waybill,
    runner,
    requests() {
      const count = github.requests.length - seen;
      seen = github.requests.length;
      return count;
    },
    async close() {
      runner.close();
      await waybill.close();
      transport.close();
      await github.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
