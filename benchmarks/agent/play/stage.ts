import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomDigits } from "@waybill/core/protocol";
import { TOKENS, startGithubEmulator } from "@waybill/github/emulator";
import type { GithubEmulator } from "@waybill/github/emulator";
import { askGithub } from "../programs/ask-github.ts";
import type { Asked, Question } from "../programs/ask-github.ts";
import { McpSession } from "../programs/mcp-session.ts";
import { runLine } from "../programs/run-line.ts";
import type { Ran } from "../programs/run-line.ts";
import { installWaybill } from "../programs/waybill-program.ts";
import type { Build } from "../programs/waybill-program.ts";
import { benchWorld, steadyClock } from "../world/bench-world.ts";
import { steady } from "./text.ts";
import { WriteLog } from "./writes.ts";

/** A GitHub for one play, with every program that can reach it. */
export interface Stage {
  readonly github: GithubEmulator;
  /** Runs a line in a shell, in an empty folder or in the code base. */
  shell(line: string): Promise<Ran>;
  ask(question: Question): Promise<Asked>;
  /** A session with `waybill serve mcp`. */
  mcp(words?: readonly string[]): Promise<McpSession>;
  /** Every mutation that GitHub has applied so far. */
  readonly writes: WriteLog;
  /** A text in the form that is counted, without parts that differ between runs. */
  steady(text: string): string;
  close(): Promise<void>;
}

export interface StageOptions {
  readonly build: Build;
  /** The folder to work in, for questions about code. */
  readonly code?: string;
}

function environment(folder: string, socket: string): Record<string, string> {
  return {
    PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
    HOME: folder,
    TMPDIR: folder,
    XDG_CACHE_HOME: folder,
    WAYBILL_GITHUB: socket,
    GH_TOKEN: TOKENS.octocat,
    GH_CONFIG_DIR: join(folder, "gh"),
    GH_NO_UPDATE_NOTIFIER: "1",
    GH_PROMPT_DISABLED: "1",
    NO_COLOR: "1",
    TZ: "UTC",
    LC_ALL: "C.UTF-8",
  };
}

function furnish(folder: string, socket: string, build: Build): void {
  for (const name of ["bin", "gh", "work"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "gh/config.yml"), `http_unix_socket: ${socket}\n`);
  installWaybill(join(folder, "bin"), build);
}

/**
 * Makes a folder whose name always has the same number of tokens. Each answer has a warning with
 * this name, which takes a part of the answer's token limit.
 */
function makeFolder(): string {
  const folder = join(tmpdir(), `waybill-bench-${randomDigits(9)}`);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

export async function openStage({ build, code }: StageOptions): Promise<Stage> {
  const folder = makeFolder();
  const socket = join(folder, "s");
  furnish(folder, socket, build);
  const env = environment(folder, socket);
  const cwd = code ?? join(folder, "work");
  const clock = steadyClock();
  const writes = new WriteLog();
  const github = await startGithubEmulator({
    socket,
    world: benchWorld,
    clock,
    onApplied: (mutation, store) => writes.add(mutation, store),
  });
  writes.begin(github.store);
  const sessions: McpSession[] = [];
  return {
    github,
    shell: (line) => runLine(line, cwd, env),
    ask: (question) => askGithub(socket, question),
    async mcp(words = []) {
      const session = new McpSession();
      sessions.push(session);
      await session.open(join(folder, "bin/waybill"), ["serve", "mcp", ...words], cwd, env);
      return session;
    },
    writes,
    steady: (text) => steady(text, code === undefined ? [folder] : [code, folder]),
    async close() {
      await Promise.all(sessions.map((session) => session.close()));
      await github.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
