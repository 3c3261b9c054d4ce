import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { octoWorld, startGithubEmulator } from "@waybill/github/emulator";
import { openJournal } from "@waybill/state";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Finding } from "../doctor/finding.ts";
import { lookAtNode } from "../doctor/machine.ts";
import { makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

interface Report {
  readonly code: number;
  readonly ok: boolean;
  readonly text: string;
  readonly of: (name: string) => Partial<Finding>;
}

async function examine(world: World, env: object = {}, flags: string[] = []): Promise<Report> {
  const io = { env: { ...world.env, ...env } };
  const { code, stdout } = await world.run(["doctor", "--json", ...flags], io);
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  return {
    code,
    ok,
    text: stdout,
    of: (name) => findings.find((each) => each.name === name) ?? {},
  };
}

/** A fake `gh` that is signed in or not. */
function fakeGh(token: string): string {
  return `#!/bin/sh
if [ "$1" = --version ]; then echo "gh version 2.50.0 (2026-01-01)"; exit 0; fi
if [ "$1 $2" = "auth token" ] && [ -n "${token}" ]; then echo "${token}"; exit 0; fi
exit 1
`;
}

describe("waybill doctor", () => {
  it("waybill doctor names everything that is missing in an empty folder, and how to fix it", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeConfig({});
    const { code, ok, of } = await examine(world);
    expect([code, ok]).toEqual([1, false]);
    expect(of("node").condition).toBe("ok");
    expect(of("gh")).toMatchObject({ condition: "missing", says: "is not installed" });
    for (const route of ["graphql", "rest", "cli"]) {
      expect(of(`route ${route}`).condition).toBe("missing");
    }
    expect(of("route rest").fix).toContain("GITHUB_TOKEN");
    expect(of("checkout").condition).toBe("off");
    expect(of("state").condition).toBe("ok");
    expect(of("code graph").condition).toBe("ok");
  });

  it("waybill doctor warns about secrets that are too short to be redacted", async () => {
    const world = await makeWorld(onTestFinished);
    const demo = world.source({ token: { env: "SHORT" } });
    const far = { kind: "mcp", url: "https://far.example", headers: { "x-key": "${env:KEY}" } };
    const long = world.source({ token: { env: "LONG" } });
    await world.writeConfig({ sources: { demo, far, long } });
    const { of } = await examine(world, { SHORT: "abc1234", KEY: "1234567", LONG: "12345678" });
    expect(of("secret of demo")).toMatchObject({
      condition: "missing",
      says: "SHORT has 7 characters; values under 8 are not redacted",
    });
    expect(of("secret of far").says).toContain("KEY has 7 characters");
    expect(of("secret of long")).toEqual({});
    expect(of("private addresses of demo")).toMatchObject({
      condition: "missing",
      fix: 'Name hosts or ranges: "allow_private": ["127.0.0.1"]',
    });
    expect(of("private addresses of far")).toEqual({});
  });

  it("waybill doctor says which MCP servers are isolated, and why a server cannot start", async () => {
    const world = await makeWorld(onTestFinished);
    const server = { kind: "mcp", command: process.execPath };
    await world.writeConfig({ sources: { free: server } });
    expect((await examine(world)).of("isolation")).toMatchObject({ condition: "off" });
    await world.writeConfig({ sources: { free: server, caged: { ...server, isolated: true } } });
    const path = process.env["PATH"];
    onTestFinished(() => void (process.env["PATH"] = path));
    process.env["PATH"] = "/nowhere";
    expect((await examine(world)).of("isolation")).toMatchObject({
      condition: "broken",
      says: "caged cannot be started: bwrap is not installed",
    });
  });

  it("waybill doctor checks the configured HTTP and NATS servers", async () => {
    const world = await makeWorld(onTestFinished);
    const sources = { demo: world.source() };
    const tokens = { ada: { token: { env: "ADA" } }, bob: { token: { env: "BOB" } } };
    const nats = { servers: "nats://me:secret@127.0.0.1:9", key: { env: "KEY" } };
    await world.writeConfig({ sources, http: { port: 8321, tokens }, nats });
    const { of, text } = await examine(world, { ADA: "a-token-of-sixteen" });
    expect(of("http")).toMatchObject({
      condition: "ok",
      says: "serve http listens on 127.0.0.1:8321 with tokens of ada, bob",
    });
    expect(of("http token ada")).toEqual({});
    expect(of("http token bob")).toMatchObject({
      condition: "missing",
      fix: "set BOB, or remove the entry",
    });
    expect(of("nats")).toMatchObject({ condition: "missing", fix: "set KEY" });
    expect(text).not.toContain("secret");
    const keyed = await examine(world, { KEY: "k".repeat(16), ADA: "a", BOB: "b" }, ["--online"]);
    expect(keyed.of("nats").says).toContain("waybill at nats://127.0.0.1:9, signed");
    expect(keyed.of("online nats").condition).toBe("missing");
  });

  it.each([
    [{ host: "0.0.0.0" }, "http.tokens"],
    [{ host: "0.0.0.0", tokens: { ada: { token: { env: "ADA" } } } }, "http.hosts"],
  ])("waybill doctor says which setting a public HTTP server lacks: %j", async (http, fix) => {
    const world = await makeWorld(onTestFinished);
    await world.writeConfig({ sources: { demo: world.source() }, http });
    const { code, of } = await examine(world, { ADA: "a" });
    expect([code, of("http").condition]).toEqual([1, "broken"]);
    expect(of("http").fix).toContain(fix);
  });

  it("waybill doctor recommends nats.key if NATS calls are not signed", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeConfig({ sources: { demo: world.source() }, nats: {} });
    expect((await examine(world)).of("nats").fix).toContain("nats.key");
  });

  it("waybill doctor names tokens and their host, and never shows their values", async () => {
    const world = await makeWorld(onTestFinished);
    const env = { GITHUB_TOKEN: "ghp_secret1", GH_ENTERPRISE_TOKEN: "ghp_secret2" };
    const { code, text, of } = await examine(world, env);
    expect(code).toBe(0);
    expect(of("token GITHUB_TOKEN")).toMatchObject({ says: "is sent to github.com" });
    expect(of("token GH_ENTERPRISE_TOKEN").condition).toBe("off");
    expect(of("route graphql").condition).toBe("ok");
    expect(of("route cli").condition).toBe("missing");
    expect(text).not.toContain("ghp_secret");
    const { of: other } = await examine(world, { GITHUB_TOKEN: "ghp_1", GH_HOST: "ghe.example" });
    expect(other("token").says).toContain("github.com");
    expect(other("route rest").condition).toBe("missing");
  });

  it.each([
    ["signed in", "gho_stored", "ok", "ok"],
    ["not signed in", "", "missing", "missing"],
  ])("waybill doctor recognises a gh that is %s", async (_name, token, gh, route) => {
    const world = await makeWorld(onTestFinished);
    await world.write("bin/gh", fakeGh(token), 0o755);
    const { of, text } = await examine(world);
    expect(of("gh")).toMatchObject({ condition: gh });
    expect(of("gh").says).toContain("2.50.0");
    expect(of("route cli").condition).toBe(route);
    expect(of("route graphql").condition).toBe(route);
    expect(text).not.toContain("gho_stored");
  });

  it("waybill doctor names the repository of the checkout", async () => {
    const world = await makeWorld(onTestFinished);
    const git = (...argv: string[]) => execFileSync("git", argv, { cwd: world.project });
    git("init", "--quiet");
    git("remote", "add", "origin", "git@github.com:octo/hello.git");
    const { of } = await examine(world, { PATH: process.env["PATH"] });
    expect(of("checkout").says).toContain("octo/hello");
  });

  it("waybill doctor reports a malformed or untrusted configuration, and its sources", async () => {
    const world = await makeWorld(onTestFinished);
    const good = await examine(world);
    expect([good.code, good.of("source demo").condition]).toEqual([0, "ok"]);
    const untrusted = { sources: { demo: world.source({ token: { env: "T" } }) } };
    await world.write("project/waybill.config.json", untrusted);
    expect((await examine(world)).of("source demo")).toMatchObject({
      condition: "missing",
      says: "cards: it needs trust again, because it has changed",
    });
    await world.write("project/waybill.config.json", "{");
    const { code, of } = await examine(world, { GITHUB_TOKEN: "t" });
    expect([code, of("configuration").condition]).toEqual([1, "broken"]);
  });

  it("waybill doctor reports a state folder that cannot be used", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("home/file", "");
    const { code, of } = await examine(world, { WAYBILL_STATE: `${world.folder}/home/file/state` });
    expect([code, of("state").condition]).toEqual([1, "broken"]);
    expect(of("state").fix).toContain("WAYBILL_STATE");
  });

  it("waybill doctor says how to recover from damaged approvals and a damaged call history", async () => {
    const world = await makeWorld(onTestFinished);
    const sound = await examine(world);
    expect([sound.of("approvals"), sound.of("history")]).toEqual([{}, {}]);
    for (const name of ["approvals.db", "history.db"])
      await writeFile(join(world.state, name), "not a database".repeat(100));
    const { of } = await examine(world);
    expect(of("approvals")).toMatchObject({
      condition: "broken",
      says: expect.stringContaining("approvals.db, is damaged") as string,
      fix: expect.stringContaining("move the file away") as string,
    });
    expect(of("history")).toMatchObject({
      condition: "missing",
      says: "The history of calls is damaged",
      fix: expect.stringContaining("history.db: move the file away") as string,
    });
  });

  it("waybill doctor says how to recover from a changed record of the journal", async () => {
    const world = await makeWorld(onTestFinished);
    const path = join(world.state, "journal.db");
    const journal = openJournal({ path });
    const key = { key: "k", identity: "", host: "", capability: "a.b", digest: "the-input" };
    const verdict = await journal.begin(key, "r1");
    if (verdict.state === "owned") await verdict.lease.sent();
    await journal.close();
    expect((await examine(world)).of("state").condition).toBe("ok");
    const text = await readFile(path, "latin1");
    await writeFile(path, text.replaceAll("the-input", "the-inpud"), "latin1");
    const { condition, says, fix } = (await examine(world)).of("state");
    expect([condition, says]).toEqual(["broken", "The journal of writes is damaged"]);
    expect(fix).toMatch(/journal.db: move the file away.*check first whether those writes were/);
  });

  it("waybill doctor sends requests only with --online", async () => {
    const world = await makeWorld(onTestFinished);
    const github = await startGithubEmulator();
    onTestFinished(() => github.close());
    const env = { WAYBILL_GITHUB: github.env };
    const quiet = await examine(world, env);
    expect([quiet.code, github.requests.length]).toEqual([0, 0]);
    expect(quiet.of("route rest").says).toBe(`to ${github.env}`);
    expect(quiet.of("route cli").says).toBe("gh cannot reach it by URL");
    const asked = await examine(world, env, ["--online"]);
    expect(asked.of("online graphql").condition).toBe("ok");
    expect(asked.of("online rest").condition).toBe("ok");
    expect(asked.of("online demo").condition).toBe("ok");
    expect(asked.of("online token").says).toContain("repo");
    expect(github.requests.length).toBeGreaterThan(0);
  });

  it("waybill doctor --online says which capabilities the token can call, and which scopes the other capabilities need", async () => {
    const world = await makeWorld(onTestFinished);
    const ask = async (scopes?: readonly string[]): Promise<Partial<Finding>> => {
      const github = await startGithubEmulator({
        world: (store) => octoWorld(store).map((one) => ({ ...one, scopes: scopes ?? one.scopes })),
      });
      onTestFinished(() => github.close());
      return (await examine(world, { WAYBILL_GITHUB: github.env }, ["--online"])).of(
        "online scopes",
      );
    };
    const full = await ask();
    expect(full).toMatchObject({ condition: "ok" });
    expect(full.says).toMatch(/^can call (\d+) of \1 GitHub capabilities$/u);
    const readOnly = await ask(["read:user"]);
    expect(readOnly).toMatchObject({ condition: "missing" });
    expect(readOnly.says).toMatch(/missing scopes: .*public_repo for \w.* and \d+ more/u);
    expect(readOnly.fix).toMatch(/^gh auth refresh --scopes .*public_repo/u);
  });

  it("waybill doctor prints one line for each finding on a terminal", async () => {
    const world = await makeWorld(onTestFinished);
    const { stdout } = await world.run(["doctor"], { isTTY: true });
    expect(stdout).toMatch(/^ok +node: /);
    expect(stdout).toContain("missing gh: is not installed\n        → Install it");
    expect(stdout).toContain("Waybill is ready for calls.");
  });

  it("waybill doctor reports a Node version that is too old", () => {
    expect(lookAtNode("18.20.0")).toMatchObject({ condition: "broken" });
    expect(lookAtNode("20.19.0")).toMatchObject({ condition: "ok" });
  });
});
