import { mkdir, stat, utimes, writeFile } from "node:fs/promises";
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
  it("loadConfig returns the defaults if nothing is configured", async () => {
    const { project: cwd, env } = await place({});
    expect(await loadConfig({ cwd, env })).toEqual({
      sources: {},
      places: {},
      replace: [],
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
  ])(
    "loadConfig combines the history setting %j of the user with %j of the project to %s",
    async (...given) => {
      const [user, project, history] = given;
      const { project: cwd, env } = await place({ user, project });
      expect(await loadConfig({ cwd, env })).toMatchObject({ history, warnings: [] });
    },
  );

  it("loadConfig finds the nearest configuration file in a parent folder", async () => {
    const { project, env } = await place({ project: { sources: { a: SOURCE } } });
    const cwd = join(project, "deep/inside");
    await trustConfig(await readConfig(join(project, "waybill.config.json")), env);
    const { sources } = await loadConfig({ cwd, env });
    expect(sources["a"]).toMatchObject({ folder: join(project, "cards") });
    await write(join(project, "deep/waybill.config.json"), {});
    expect((await loadConfig({ cwd, env })).sources).toEqual({});
    expect(findProjectConfig(cwd)).toBe(join(project, "deep/waybill.config.json"));
  });

  it("loadConfig reads the user's file below HOME and ignores a relative XDG_CONFIG_HOME", async () => {
    const { project: cwd, env } = await place({});
    await write(join(env["HOME"]!, ".config/waybill/config.json"), { policy: { read_only: true } });
    const { policy } = await loadConfig({ cwd, env: { ...env, XDG_CONFIG_HOME: "config" } });
    expect(policy.read_only).toBe(true);
  });

  it("loadConfig trusts all sources and settings of the user's own configuration file", async () => {
    const { project: cwd, env } = await place({ user: { sources: { a: POWERFUL }, state: "s" } });
    const { sources, state, warnings } = await loadConfig({ cwd, env });
    expect(sources["a"]).toMatchObject({ token: { env: "T" }, cli: {} });
    expect(state).toBe(join(env["XDG_CONFIG_HOME"]!, "waybill/s"));
    expect(warnings).toEqual([]);
  });

  it("loadConfig ignores sources and settings of a project until they are trusted", async () => {
    const { project: cwd, env } = await place({
      project: { sources: { a: POWERFUL }, state: "s", packs: [] },
    });
    const path = join(cwd, "waybill.config.json");
    const before = await loadConfig({ cwd, env });
    expect(before.sources).toEqual({});
    expect(before.untrusted["a"]).toMatchObject({ kind: "cards", why: "it needs trust" });
    expect(before.untrusted["a"]?.hint).toMatch(/, then run: waybill trust .* --source a$/u);
    expect(before.state).toContain(".local/state");
    expect(before.packs).toEqual(["github", "graph"]);
    expect(before.warnings).toEqual([
      expect.stringContaining("sources that need trust: a;") as unknown,
      expect.stringContaining("settings that need trust: state, packs;") as unknown,
    ]);
    await trustConfig(await readConfig(path), env);
    const after = await loadConfig({ cwd, env });
    expect(after.sources["a"]).toMatchObject({ token: { env: "T" }, cli: {} });
    expect(after.places["a"]).toEqual({ origin: "project", path });
    expect([after.state, after.packs, after.warnings]).toEqual([join(cwd, "s"), [], []]);
  });

  it.each([
    { kind: "mcp", command: "x" },
    { kind: "mcp", url: "https://a.example/mcp" },
    { kind: "command", manifest: "m.yaml" },
    { kind: "openapi", document: "https://a.example/d" },
    { kind: "graphql", url: "https://a.example/g" },
    { kind: "cards", folder: "cards" },
    { kind: "nats", url: "nats://127.0.0.1:4222/x" },
  ])("loadConfig ignores a project's source until it is trusted: %j", async (source) => {
    const { project: cwd, env } = await place({ project: { sources: { a: source } } });
    const before = await loadConfig({ cwd, env });
    expect([before.sources, Object.keys(before.untrusted)]).toEqual([{}, ["a"]]);
    await trustConfig(await readConfig(join(cwd, "waybill.config.json")), env);
    const { sources, warnings } = await loadConfig({ cwd, env });
    expect([sources["a"]?.kind, warnings]).toEqual([source.kind, []]);
  });

  it("trust is given for each source of a project and ends when the source's entry changes", async () => {
    const [a, b] = [SOURCE, { ...SOURCE, folder: "other" }];
    const { project: cwd, env } = await place({ project: { sources: { a, b } } });
    const path = join(cwd, "waybill.config.json");
    await trustConfig(await readConfig(path), env, { sources: ["a"], settings: false });
    expect(Object.keys((await loadConfig({ cwd, env })).sources)).toEqual(["a"]);
    await write(path, { sources: { b: { ...b, host: "b.example" }, a }, policy: {} });
    expect(Object.keys((await loadConfig({ cwd, env })).sources)).toEqual(["a"]);
    await write(path, { sources: { a: { ...a, host: "evil.example" } } });
    const { sources, untrusted } = await loadConfig({ cwd, env });
    expect(sources).toEqual({});
    expect(untrusted["a"]?.why).toContain("needs trust again, because it has changed");
  });

  it("an untrusted project can make the policy stricter but not laxer", async () => {
    const { project: cwd, env } = await place({
      user: { policy: { allow: ["a.*"], raw: ["github.a.*"] } },
      project: { policy: { deny: ["a.b"], allow: ["*"], raw: ["*"], confirm: "none" } },
    });
    const { policy, warnings } = await loadConfig({ cwd, env });
    expect(policy).toEqual({
      allow: ["a.*"],
      deny: ["a.b"],
      raw: ["github.a.*"],
      confirm: "destructive",
    });
    expect(warnings).toEqual([]);
  });

  it("the NATS settings of a project apply only if the project is trusted", async () => {
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

  it.each([
    ["a card", { kind: "cards", folder: "cards" }, "cards/deep/one.yaml"],
    ["a document of cards", { kind: "cards", folder: "cards" }, "cards/q.graphql"],
    ["an OpenAPI description", { kind: "openapi", document: "api.json" }, "api.json"],
    [
      "a GraphQL schema",
      { kind: "graphql", url: "https://a.example", schema: "s.graphql" },
      "s.graphql",
    ],
    ["a manifest", { kind: "command", manifest: "m.yaml" }, "m.yaml"],
    [
      "a server's script",
      { kind: "mcp", command: "node", args: ["--x", "bin/s.mjs"] },
      "bin/s.mjs",
    ],
    ["the program of a server", { kind: "mcp", command: "./bin/s" }, "bin/s"],
  ])("a source of a project needs trust again when %s changes", async (_name, source, file) => {
    const { project: cwd, env } = await place({ project: { sources: { a: source } } });
    await write(join(cwd, file), { one: 1 });
    await trustConfig(await readConfig(join(cwd, "waybill.config.json")), env);
    expect(Object.keys((await loadConfig({ cwd, env })).sources)).toEqual(["a"]);
    await write(join(cwd, file), { one: 2 });
    expect((await loadConfig({ cwd, env })).untrusted["a"]?.why).toContain("it has changed");
  });

  it("a source of a project needs trust again when a script that its manifest names changes", async () => {
    const source = { kind: "command", manifest: "m.yaml" };
    const { project: cwd, env } = await place({ project: { sources: { a: source } } });
    const manifest = { program: "./bin/tool.sh", operations: { x: { argv: ["--lib=lib/x.sh"] } } };
    for (const file of ["bin/tool.sh", "lib/x.sh"]) {
      await write(join(cwd, "m.yaml"), manifest);
      await write(join(cwd, file), { one: 1 });
      await trustConfig(await readConfig(join(cwd, "waybill.config.json")), env);
      expect((await loadConfig({ cwd, env })).untrusted).toEqual({});
      await write(join(cwd, file), { one: 2 });
      expect(Object.keys((await loadConfig({ cwd, env })).untrusted)).toEqual(["a"]);
    }
  });

  it("loadConfig reads no file of a source that was never trusted", async () => {
    const { project: cwd, env } = await place({ project: { sources: { a: SOURCE } } });
    await write(join(cwd, "cards/one.yaml"), {});
    const before = await stat(join(cwd, "cards/one.yaml"));
    await utimes(join(cwd, "cards/one.yaml"), new Date(1_000), before.mtime);
    await loadConfig({ cwd, env });
    expect((await stat(join(cwd, "cards/one.yaml"))).atimeMs).toBe(1_000);
  });

  it("a cards folder of more than 5,000 files cannot be trusted", async () => {
    const { project: cwd, env } = await place({ project: { sources: { a: SOURCE } } });
    await mkdir(join(cwd, "cards"));
    const names = Array.from({ length: 5_001 }, (_, index) => `${index}.yaml`);
    await Promise.all(names.map((name) => writeFile(join(cwd, "cards", name), "")));
    const file = await readConfig(join(cwd, "waybill.config.json"));
    await expect(trustConfig(file, env)).rejects.toThrow("more than 5000 files");
  });

  it("the warning about an untrusted source suggests a trust command with the path quoted for the shell", async () => {
    const { project: cwd, env } = await place({ project: { sources: { a: POWERFUL } } });
    const { warnings } = await loadConfig({ cwd, env });
    const shown = join(cwd, "waybill.config.json").replaceAll("'", String.raw`'\''`);
    expect(warnings[0]).toContain(`waybill trust '${shown}'`);
  });

  it("WAYBILL_STATE takes precedence over the configured state folder", async () => {
    const { project: cwd, env } = await place({ user: { state: "s" } });
    const { state } = await loadConfig({ cwd, env: { ...env, WAYBILL_STATE: "/elsewhere" } });
    expect(state).toBe("/elsewhere");
  });

  it("the user's source overrides a project's source of the same name, with a warning", async () => {
    const { project: cwd, env } = await place({
      user: { sources: { a: POWERFUL, b: SOURCE } },
      project: { sources: { a: SOURCE } },
    });
    await trustConfig(await readConfig(join(cwd, "waybill.config.json")), env);
    const { sources, places, warnings } = await loadConfig({ cwd, env });
    expect(sources["a"]).toMatchObject({ token: { env: "T" } });
    expect(places["a"]?.origin).toBe("user");
    expect(warnings).toEqual([
      "the source a is left out: your own configuration has a source of this name; rename one of them",
    ]);
  });

  it.each(["user", "project"] as const)(
    "loadConfig leaves out a source of the %s whose name is the first word of built-in ids",
    async (whose) => {
      const { project: cwd, env } = await place({ [whose]: { sources: { issue: SOURCE } } });
      const { sources, untrusted, warnings } = await loadConfig({ cwd, env });
      expect([sources, untrusted]).toEqual([{}, {}]);
      expect(warnings[0]).toContain("issue is the first word of built-in ids");
    },
  );

  it("loadConfig refuses a file with two sources of the same name", async () => {
    const { project: cwd, env } = await place({ project: {} });
    const source = JSON.stringify(SOURCE);
    await writeFile(
      join(cwd, "waybill.config.json"),
      `{"sources": {"a": ${source}, "\\u0061": ${source}}}`,
    );
    await expect(loadConfig({ cwd, env })).rejects.toThrow('has the name "a" twice');
  });

  it("only the user's own configuration file can replace built-in ids", async () => {
    const replace = ["issue.create"];
    const own = await place({ user: { replace } });
    expect((await loadConfig({ cwd: own.project, env: own.env })).replace).toEqual(replace);
    const theirs = await place({ project: { replace } });
    await trustConfig(await readConfig(join(theirs.project, "waybill.config.json")), theirs.env);
    const loaded = await loadConfig({ cwd: theirs.project, env: theirs.env });
    expect(loaded.replace).toEqual([]);
    expect(loaded.warnings[0]).toContain("only your own configuration can replace built-in ids");
  });
});
