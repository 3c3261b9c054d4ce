import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../journal/fixtures/temporary.ts";
import { findProjectConfig, loadConfig, readConfig, trustConfig } from "./index.ts";

interface Place {
  readonly project: string;
  readonly env: Record<string, string>;
}

async function write(path: string, value: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(value));
}

async function place(files: { user?: object; project?: object }): Promise<Place> {
  const folder = await temporaryFolder(onTestFinished);
  const project = join(folder, "pro ject's");
  await mkdir(join(project, "deep/inside"), { recursive: true });
  if (files.user) await write(join(folder, "config/waybill/config.json"), files.user);
  if (files.project) await write(join(project, "waybill.config.json"), files.project);
  return { project, env: { HOME: folder, XDG_CONFIG_HOME: join(folder, "config") } };
}

const SOURCE = { kind: "cards", folder: "cards" };
const POWERFUL = { ...SOURCE, token: { env: "T" }, cli: {}, host: "a.example" };

describe("loadConfig", () => {
  it("is empty where nothing is configured", async () => {
    const { project: cwd, env } = await place({});
    expect(await loadConfig({ cwd, env })).toEqual({
      sources: {},
      policy: { confirm: "destructive" },
      hosts: {},
      packs: ["github", "graph"],
      state: join(env["HOME"]!, ".local/state/waybill"),
      history: "off",
      untrusted: {},
      warnings: [],
    });
  });

  it.each([
    [{}, { history: "on" }, "on"],
    [{ history: "on" }, { history: "off" }, "on"],
    [{ history: "off" }, {}, "off"],
  ])("records where %j of the user and %j of the project want it: %s", async (...given) => {
    const [user, project, history] = given;
    const { project: cwd, env } = await place({ user, project });
    expect(await loadConfig({ cwd, env })).toMatchObject({ history, warnings: [] });
  });

  it("finds the nearest file upward", async () => {
    const { project, env } = await place({ project: { sources: { a: SOURCE } } });
    const cwd = join(project, "deep/inside");
    const { sources } = await loadConfig({ cwd, env });
    expect(sources["a"]).toMatchObject({ folder: join(project, "cards") });
    await write(join(project, "deep/waybill.config.json"), {});
    expect((await loadConfig({ cwd, env })).sources).toEqual({});
    expect(findProjectConfig(cwd)).toBe(join(project, "deep/waybill.config.json"));
  });

  it("looks for the user's file below HOME, and ignores a relative XDG folder", async () => {
    const { project: cwd, env } = await place({});
    await write(join(env["HOME"]!, ".config/waybill/config.json"), { policy: { read_only: true } });
    const { policy } = await loadConfig({ cwd, env: { ...env, XDG_CONFIG_HOME: "config" } });
    expect(policy.read_only).toBe(true);
  });

  it("takes everything of the user's own file", async () => {
    const { project: cwd, env } = await place({ user: { sources: { a: POWERFUL }, state: "s" } });
    const { sources, state, warnings } = await loadConfig({ cwd, env });
    expect(sources["a"]).toMatchObject({ token: { env: "T" }, cli: {} });
    expect(state).toBe(join(env["XDG_CONFIG_HOME"]!, "waybill/s"));
    expect(warnings).toEqual([]);
  });

  it("leaves out what a project's file may not do untrusted", async () => {
    const { project: cwd, env } = await place({
      project: { sources: { a: POWERFUL }, state: "s" },
    });
    const before = await loadConfig({ cwd, env });
    expect(before.sources["a"]).toEqual({
      ...SOURCE,
      folder: join(cwd, "cards"),
      host: "a.example",
    });
    expect(before.state).toContain(".local/state");
    expect(before.warnings).toHaveLength(1);
    expect(before.warnings[0]).toContain("sources.a.token, sources.a.cli, state");
    await trustConfig(await readConfig(join(cwd, "waybill.config.json")), env);
    const after = await loadConfig({ cwd, env });
    expect(after.sources["a"]).toMatchObject({ token: { env: "T" }, cli: {} });
    expect([after.state, after.warnings]).toEqual([join(cwd, "s"), []]);
  });

  it.each<readonly [object, string, object | undefined]>([
    [{ kind: "mcp", command: "x" }, "sources.a", undefined],
    [{ kind: "command", manifest: "m.yaml" }, "sources.a", undefined],
    [
      { kind: "mcp", url: "https://a.example/mcp", headers: { x: "${env:T}" } },
      "sources.a.headers",
      { kind: "mcp", url: "https://a.example/mcp" },
    ],
    [
      { kind: "openapi", document: "https://a.example/d", credentials: { k: { env: "T" } } },
      "sources.a.credentials",
      { kind: "openapi", document: "https://a.example/d" },
    ],
    [
      { kind: "graphql", url: "https://a.example/g", token: { command: ["pass"] } },
      "sources.a.token",
      { kind: "graphql", url: "https://a.example/g" },
    ],
  ])("leaves out of %j what needs trust", async (source, power, harmless) => {
    const { project: cwd, env } = await place({ project: { sources: { a: source } } });
    const { sources, warnings } = await loadConfig({ cwd, env });
    expect(sources["a"]).toEqual(harmless);
    expect(warnings[0]).toContain(power);
    await trustConfig(await readConfig(join(cwd, "waybill.config.json")), env);
    expect((await loadConfig({ cwd, env })).sources["a"]).toMatchObject({
      kind: (source as { kind: string }).kind,
    });
    expect((await loadConfig({ cwd, env })).warnings).toEqual([]);
  });

  it("lets a project say where calls go only when it is trusted", async () => {
    const far = { servers: "nats://far.example:4222", key: { env: "K" } };
    const { project: cwd, env } = await place({
      user: { nats: { servers: "nats://127.0.0.1:4222" } },
      project: { nats: far },
    });
    const before = await loadConfig({ cwd, env });
    expect(before.nats).toEqual({ servers: "nats://127.0.0.1:4222" });
    expect(before.warnings[0]).toContain("nats");
    await trustConfig(await readConfig(join(cwd, "waybill.config.json")), env);
    expect((await loadConfig({ cwd, env })).nats).toEqual(far);
  });

  it("ends the trust when a card changes, for cards decide what is run", async () => {
    const { project: cwd, env } = await place({ project: { sources: { a: POWERFUL } } });
    await write(join(cwd, "cards/one.yaml"), { capability_id: "a.b" });
    await trustConfig(await readConfig(join(cwd, "waybill.config.json")), env);
    expect((await loadConfig({ cwd, env })).warnings).toEqual([]);
    await write(join(cwd, "cards/one.yaml"), { capability_id: "a.c" });
    expect((await loadConfig({ cwd, env })).warnings[0]).toContain("sources.a.token");
  });

  it("suggests a command that a shell takes as one file", async () => {
    const { project: cwd, env } = await place({ project: { sources: { a: POWERFUL } } });
    const { warnings } = await loadConfig({ cwd, env });
    const shown = join(cwd, "waybill.config.json").replaceAll("'", String.raw`'\''`);
    expect(warnings[0]).toContain(`waybill trust '${shown}'`);
  });

  it("lets WAYBILL_STATE decide where state is", async () => {
    const { project: cwd, env } = await place({ user: { state: "s" } });
    const { state } = await loadConfig({ cwd, env: { ...env, WAYBILL_STATE: "/elsewhere" } });
    expect(state).toBe("/elsewhere");
  });

  it("replaces a source as a whole, so that its token does not go along", async () => {
    const { project: cwd, env } = await place({
      user: { sources: { a: POWERFUL, b: SOURCE } },
      project: { sources: { a: SOURCE } },
    });
    const { sources, warnings } = await loadConfig({ cwd, env });
    expect(Object.keys(sources)).toEqual(["a", "b"]);
    expect(sources["a"]).toEqual({ ...SOURCE, folder: join(cwd, "cards") });
    expect(warnings).toEqual([
      "the source a is this project's, not the one of your own configuration",
    ]);
  });
});
