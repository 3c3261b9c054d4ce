import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import { startGithubEmulator } from "@waybill/github/emulator";
import type { CallSummary } from "@waybill/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { SCENES } from "../demo/scenes.ts";
import { showPage } from "../demo/show-page.ts";
import { showScene } from "../demo/show-scene.ts";
import { openStage } from "../demo/stage.ts";
import { MAIN, Program } from "../fixtures/program.ts";
import { makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";
import type { Io } from "../io.ts";

/**
 * The environment of a terminal: the programs of this machine, and the home folder of the test
 * world.
 */
function shellEnv({ env }: World): NodeJS.ProcessEnv {
  return { ...env, PATH: process.env.PATH, CI: "true", TERM: "xterm-256color" };
}

/** Splits a command into words as a shell does. */
function shellWords(command: string): string[] {
  const words = command.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll("'", "")).slice(1);
}

function dataIn(text: string): unknown[] {
  const lines = text.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => (JSON.parse(line) as { data?: unknown }).data);
}

const READS = SCENES.filter(({ command }) => / run \S+\.(?:view|list) /.test(command ?? ""));

interface Answer {
  readonly ok?: boolean;
  readonly status?: string;
  readonly applied_by_github?: number;
  readonly meta?: { readonly reason?: string; readonly pagination?: object };
}

describe("waybill demo", () => {
  it("waybill demo plays every scene with real answers and applies its write once", async () => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout, stderr } = await world.run(["demo"]);
    expect(code).toBe(0);
    expect(stderr).toBe("");
    const answers = stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Answer);
    const [read] = answers;
    expect(read).toMatchObject({ ok: true, data: { nameWithOwner: "octo/hello" } });
    expect(answers.filter(({ meta }) => meta?.pagination !== undefined).length).toBeGreaterThan(1);
    expect(answers).toContainEqual(expect.objectContaining({ status: "success" }));
    expect(answers).toContainEqual(
      expect.objectContaining({
        data: { value: expect.arrayContaining(["docs/usage"]) as unknown },
      }),
    );
    expect(answers.map(({ meta }) => meta?.reason)).toContain("CLI_NOT_AVAILABLE");
    expect(answers.at(-1)).toEqual({ applied_by_github: 1 });
  });

  it("waybill demo fits on one screen, with colours and a sentence for each step", async () => {
    const world = await makeWorld(onTestFinished);
    const env = { ...world.env, CI: "true" };
    const stdout = new PassThrough({ encoding: "utf8", highWaterMark: 1_000_000 });
    const stdin = new PassThrough();
    const screen: Io = {
      argv: [],
      stdin,
      stdout,
      stderr: stdout,
      env,
      cwd: world.project,
      isTTY: true,
    };
    const stage = await openStage(screen);
    onTestFinished(() => stage.close());
    for (const [index, scene] of SCENES.entries()) {
      await showScene(screen, stage, scene, `${index + 1}/${SCENES.length}`);
    }
    const text = String(stdout.read());
    // The screen has 40 lines: one before the tour, and six after it.
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(33);
    expect(text).toMatch(/issue\.create.*issues\/\d+\n.*issue\.comments\.create.*issuecomment/u);
    expect(text).toContain("\u001b[1m1/6 A read");
    for (const { says } of SCENES) expect(text).toContain(says);
  });

  it("waybill demo shows its calls on the inspector page afterwards if it runs in a terminal", async () => {
    const world = await makeWorld(onTestFinished);
    const interruption = new AbortController();
    const stdout = new PassThrough({ encoding: "utf8" });
    const io = {
      argv: ["demo"],
      stdin: new PassThrough(),
      stdout,
      stderr: new PassThrough(),
      env: { ...world.env, CI: "true" },
      cwd: world.project,
      isTTY: true,
      signal: interruption.signal,
    };
    const stage = await openStage(io);
    onTestFinished(() => stage.close());
    for (const { play } of SCENES)
      for await (const answer of play(stage)) expect(answer).toBeDefined();
    const told = new Promise<string>((resolve) => stdout.once("data", resolve));
    const ended = showPage(io, stage, world.project);
    const [address = ""] = /http:\S+/u.exec(await told) ?? [];
    const { origin, hash } = new URL(address);
    const headers = { authorization: `Bearer ${hash.replace("#token=", "")}` };
    const answer = await fetch(`${origin}/v1/inspect/calls`, { headers });
    const { calls } = (await answer.json()) as { calls: CallSummary[] };
    const shown = calls.map(({ kind, capability_id, via }) => `${kind} ${capability_id} ${via}`);
    expect(shown).toContain("call repo.view demo");
    expect(shown).toContain("step issue.comments.create demo");
    expect(shown).toContain("chain chain demo");
    expect(calls.every(({ tokens_out = 0 }) => tokens_out > 0)).toBe(true);
    interruption.abort();
    await ended;
  });

  // The `script` command of BSD has other arguments.
  it.runIf(process.platform === "linux")(
    "waybill demo prints at most 40 lines in colours on a real terminal, and names the inspector page",
    async () => {
      const world = await makeWorld(onTestFinished);
      const env = shellEnv(world);
      // Without exec, the shell also gets Ctrl-C, and its exit code would be 130.
      const command = `exec '${process.execPath}' '${MAIN}' demo`;
      const child = spawn("script", ["-qec", command, "/dev/null"], { cwd: world.project, env });
      let screen = "";
      child.stdout.setEncoding("utf8").on("data", (piece: string) => {
        screen += piece;
        if (piece.includes("Ctrl-C ends it")) child.stdin.write("\u0003");
      });
      const [code] = (await once(child, "close")) as [number];
      expect([code, screen]).toEqual([0, expect.stringContaining("The inspector ")]);
      expect(screen.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
      expect(screen).toContain("\u001b[1m6/6 ");
    },
  );

  it("the three commands that waybill demo prints at its end succeed when a user pastes them into a shell", async () => {
    const world = await makeWorld(onTestFinished);
    const { stdout } = await world.run(["demo"]);
    const [, next = ""] = stdout.split("\nNext: ");
    const [serve = "", ...others] = next.trim().split(/\n\s*/u);
    expect(others).toHaveLength(2);
    const shell = `waybill() { '${process.execPath}' '${MAIN}' "$@"; }`;
    for (const command of others) {
      const options = { cwd: world.project, env: shellEnv(world) };
      const pasted = promisify(execFile)("sh", ["-c", `${shell}\n${command}`], options);
      await expect(pasted).resolves.toMatchObject({
        stdout: expect.stringMatching(/\S/u) as unknown,
      });
    }
    const server = new Program(world, shellWords(serve));
    await once(server.process.stdout, "readable");
    server.process.kill("SIGINT");
    expect(await server.ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"url"') as unknown,
    });
  });

  it("the command that waybill demo shows for a read prints the data of the demo", async () => {
    const world = await makeWorld(onTestFinished);
    const github = await startGithubEmulator();
    onTestFinished(() => github.close());
    const env = { ...world.env, WAYBILL_GITHUB: github.env };
    const { stdout: tour } = await world.run(["demo"]);
    expect(READS).toHaveLength(3);
    for (const { title, command = "" } of READS) {
      const [, shown = ""] = tour.split(`# ${title}\n`);
      const { stdout } = await world.run(shellWords(command), { env });
      expect(dataIn(stdout).length).toBeGreaterThan(0);
      expect([title, dataIn(stdout)]).toEqual([title, dataIn(shown.split("\n# ")[0] ?? "")]);
    }
  });
});
