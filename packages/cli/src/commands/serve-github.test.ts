import { existsSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";
import { main } from "../cli.ts";

/** Runs the command until it has printed its address; `stop` interrupts it, as Ctrl-C does. */
async function serve(words: readonly string[], isTTY = false) {
  const { folder } = await makeWorld(onTestFinished);
  const interruption = new AbortController();
  const [stdout, stderr] = [new PassThrough({ encoding: "utf8" }), new PassThrough()];
  const ended = main({
    argv: ["serve", "github-emulator", ...words],
    stdin: new PassThrough(),
    stdout,
    stderr,
    env: {},
    cwd: folder,
    isTTY,
    signal: interruption.signal,
  });
  const said = await new Promise<string>((resolve) => stdout.once("data", resolve));
  return {
    folder,
    said,
    stop: (): Promise<number> => {
      interruption.abort();
      return ended;
    },
  };
}

function printedMessage(stdout: string): string {
  return (JSON.parse(stdout) as { error: { message: string } }).error.message;
}

describe("waybill serve github-emulator", () => {
  it("waybill serve github prints its address as JSON for a program and runs until it is interrupted", async () => {
    const { said, stop } = await serve([]);
    const { WAYBILL_GITHUB, token } = JSON.parse(said) as Record<string, string>;
    const read = () =>
      fetch(`${WAYBILL_GITHUB!}/user`, { headers: { authorization: `token ${token!}` } });
    expect(await (await read()).json()).toMatchObject({ login: "octocat" });
    expect(await stop()).toBe(0);
    await expect(read()).rejects.toThrow("fetch failed");
  });

  it("waybill serve github prints the export command for a person", async () => {
    const { folder, said, stop } = await serve(["--socket", "gh.sock"], true);
    expect(said).toContain(`export WAYBILL_GITHUB=${join(folder, "gh.sock")}`);
    expect(existsSync(join(folder, "gh.sock"))).toBe(true);
    expect(await stop()).toBe(0);
    expect(existsSync(join(folder, "gh.sock"))).toBe(false);
  });

  it.each([
    [["--port", "1", "--socket", "x"], "either --port or --socket"],
    [["--port", "65536"], "--port must be at most 65535"],
    [["--port", "many"], "--port must be a whole number"],
    [["--socket", "no/such/folder/gh.sock"], "a folder that exists"],
    [["here"], 'takes no arguments, but got "here"'],
  ])("waybill serve github refuses the arguments %j", async (words, sentence) => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run(["serve", "github-emulator", ...words]);
    expect([code, printedMessage(stdout)]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it("waybill serve github refuses a port that another program uses", async () => {
    const { said, stop } = await serve([]);
    const { port } = new URL((JSON.parse(said) as { url: string }).url);
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run(["serve", "github-emulator", "--port", port]);
    expect([code, printedMessage(stdout)]).toEqual([
      2,
      `Cannot listen on port ${port}: another program already listens there; stop it, or choose another address`,
    ]);
    await stop();
  });
});
