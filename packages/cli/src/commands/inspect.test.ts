import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { CallSummary } from "@waybill/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { main } from "../cli.ts";
import { start } from "../fixtures/program.ts";
import { makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";
import { openBrowser, openerFor } from "../inspect/open-browser.ts";

interface Inspecting {
  readonly url: string;
  readonly token: string;
  readonly page: string;
  readonly stop: () => Promise<number>;
}

/** Runs the command until it has printed its address; `stop` interrupts it, as Ctrl-C does. */
async function inspect(
  world: World,
  env = world.env,
  words: readonly string[] = [],
): Promise<Inspecting> {
  const interruption = new AbortController();
  const stdout = new PassThrough({ encoding: "utf8" });
  const ended = main({
    argv: ["inspect", "--no-open", ...words],
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    env,
    cwd: world.project,
    isTTY: false,
    signal: interruption.signal,
  });
  const said = await new Promise<string>((resolve) => stdout.once("data", resolve));
  const facts = JSON.parse(said) as Omit<Inspecting, "stop">;
  const stop = (): Promise<number> => {
    interruption.abort();
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  return { ...facts, stop };
}

function ask({ url, token }: Inspecting, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return fetch(`${url}${path}`, { ...init, headers });
}

/** Reads a stream of calls until a call of this capability arrives. */
async function callIn(answer: Response, id: string): Promise<CallSummary> {
  let text = "";
  for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += part;
    const lines = text.split("\n").filter((line) => line.startsWith('data: {"calls"'));
    const calls = lines.flatMap(
      (line) => (JSON.parse(line.slice("data: ".length)) as { calls: CallSummary[] }).calls,
    );
    const found = calls.find(({ capability_id }) => capability_id === id);
    if (found !== undefined) return found;
  }
  throw new Error("The stream ended");
}

describe("waybill inspect", () => {
  it("waybill inspect shows a call of another process as soon as it is made", async () => {
    const world = await makeWorld(onTestFinished);
    const inspecting = await inspect(world);
    const events = await ask(inspecting, "/v1/inspect/events");
    const words = ["run", "item.view", "--input", '{"id":3}', "--record"];
    const [call, ended] = await Promise.all([
      callIn(events, "item.view"),
      start(world, words).ended,
    ]);
    expect(ended.code).toBe(0);
    expect(call).toMatchObject({
      via: "run",
      source: "demo",
      route: "rest",
      ok: true,
      attempts: 1,
    });
    expect(call.tokens_raw).toBeGreaterThan(0);
    const detail = await ask(inspecting, `/v1/inspect/calls/${call.request_id}`);
    expect(await detail.json()).toMatchObject({
      params: { id: 3 },
      command: `waybill run item.view --input '{"id":3}'`,
      timeline: [{ route: "rest", status: "success" }],
    });
    expect(await inspecting.stop()).toBe(0);
  });

  it("waybill inspect records calls from the page and shows them after a restart", async () => {
    const world = await makeWorld(onTestFinished);
    const first = await inspect(world);
    expect(first.page).toBe(`${first.url}/#token=${first.token}`);
    const body = JSON.stringify({ params: { id: 3 } });
    await ask(first, "/v1/execute/item.view", { method: "POST", body });
    await first.stop();
    const second = await inspect(world);
    const answer = await ask(second, "/v1/inspect/calls");
    expect(await answer.json()).toMatchObject({
      calls: [{ capability_id: "item.view", via: "inspect" }],
      total: 1,
    });
    expect((await ask({ ...second, token: first.token }, "/v1/inspect/calls")).status).toBe(401);
  });

  it("waybill inspect shows the state of sources and routes", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeConfig({ sources: { demo: world.source({ token: { env: "T" } }) } });
    const inspecting = await inspect(world);
    const view = await ask(inspecting, "/v1/inspect/capabilities/item.view");
    expect(await view.json()).toMatchObject({
      source: "demo",
      effect: "read",
      routes: [
        { route: "rest", preferred: true, state: "unavailable", reason: "TOKEN_MISSING" },
        { route: "cli", preferred: false, state: "unavailable", reason: "CLI_NOT_AVAILABLE" },
      ],
    });
    const sources = async () => (await ask(inspecting, "/v1/inspect/sources")).text();
    await expect.poll(sources).toContain('"name":"demo","kind":"cards","state":"up"');
  });

  it("waybill inspect refuses wrong arguments, and starts with a damaged call history", async () => {
    const world = await makeWorld(onTestFinished);
    expect((await world.run(["inspect", "me"])).code).toBe(2);
    expect((await world.run(["inspect", "--port", "70000"])).code).toBe(2);
    await world.write("home/.local/state/waybill/history.db", "not a database ".repeat(500));
    const inspecting = await inspect(world);
    const answer = await ask(inspecting, "/v1/inspect/calls");
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { error: { code: "NOT_READY", message: "The history of calls is damaged" } },
    ]);
    const recorded = await world.run(["run", "item.view", "id=3", "--record"]);
    expect(recorded.code).toBe(0);
    expect(recorded.stderr).toContain("The history of calls is damaged");
  });

  it("waybill inspect --root shows a code base and answers questions about the code", async () => {
    const world = await makeWorld(onTestFinished);
    await mkdir(join(world.project, "code"));
    await writeFile(join(world.project, "code/a.ts"), 'import "./b.ts";\n');
    await writeFile(join(world.project, "code/b.ts"), "export {};\n");
    const inspecting = await inspect(world, world.env, ["--root", "code"]);
    const picture = await ask(inspecting, "/v1/inspect/graph");
    expect(await picture.json()).toMatchObject({ files: ["a.ts", "b.ts"], imports: [0, 1] });
    const body = JSON.stringify({ params: { target: "b.ts" } });
    const impact = await ask(inspecting, "/v1/execute/graph.impact", { method: "POST", body });
    expect(await impact.json()).toMatchObject({ ok: true, data: { directDependents: ["a.ts"] } });
  });

  it("waybill inspect reports a --root that is not a folder", async () => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await start(world, ["inspect", "--root", "nowhere"]).ended;
    expect(code).toBe(2);
    expect(stdout).toContain("nowhere is not a folder");
  });
});

describe("opening the browser", () => {
  it.each([
    ["a terminal with a display", { isTTY: true, env: { DISPLAY: ":0" } }, "xdg-open"],
    ["a terminal without a display", { isTTY: true, env: {} }, undefined],
    ["no terminal", { isTTY: false, env: { DISPLAY: ":0" } }, undefined],
    ["a build server", { isTTY: true, env: { DISPLAY: ":0", CI: "true" } }, undefined],
  ])(
    "waybill inspect opens the browser only on a person's terminal with a display: %s",
    (_where, io, opener) => {
      expect(openerFor(io, "linux")).toBe(opener);
    },
  );

  it("waybill inspect passes its address to the browser in a private file, which is removed afterwards", async () => {
    const world = await makeWorld(onTestFinished);
    const seen = join(world.folder, "seen");
    await world.write(
      "bin/opener",
      `#!/bin/sh\nprintf %s "$1" > ${seen}.part; /bin/mv ${seen}.part ${seen}\n`,
      0o755,
    );
    const address = "http://127.0.0.1:1/#token=very-secret";
    const forget = await openBrowser(join(world.folder, "bin/opener"), address, world.env);
    await expect.poll(() => existsSync(seen)).toBe(true);
    const file = await readFile(seen, "utf8");
    expect(file).not.toContain("very-secret");
    expect(await readFile(file, "utf8")).toContain(address);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await forget();
    await expect(stat(file)).rejects.toThrow("ENOENT");
  });
});
