import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithProgram } from "../../../../test/support/programs.ts";
import { ghFactSource } from "./index.ts";

const PATH = process.env["PATH"] ?? "";
const all = ["ghAvailable", "ghVersion", "ghAuthenticated", "host"] as const;

interface FakeGh {
  readonly env: Record<string, string>;
  readonly calls: () => string[];
  readonly answer: (exitCode: number) => void;
}

/** A `gh` on its own PATH that records how it is called. */
function fakeGh(): FakeGh {
  const folder = mkdtempSync(join(tmpdir(), "waybill-gh-"));
  const log = join(folder, "log");
  writeFileSync(log, "");
  const answer = (exitCode: number): void => {
    const script = `echo "$@" >> "${log}"\necho "gh version 2.61.3 (2026-01-01)"\nexit ${exitCode}\n`;
    writeFileSync(join(folder, "gh"), `#!/bin/sh\n${script}`);
    chmodSync(join(folder, "gh"), 0o700);
  };
  answer(0);
  return {
    env: { PATH: [folder, PATH].join(delimiter) },
    calls: () => readFileSync(log, "utf8").split("\n").filter(Boolean),
    answer,
  };
}

describe("ghFactSource", () => {
  it("ghFactSource runs gh only for the requested facts, such as whether gh is installed", async () => {
    const gh = fakeGh();
    const facts = ghFactSource({ env: gh.env });
    expect(await facts.facts(["ghAvailable", "host", "offline"])).toEqual({
      ghAvailable: true,
      host: "github.com",
    });
    expect(gh.calls()).toEqual([]);
    expect(await facts.facts(["ghVersion"])).toEqual({ ghVersion: "2.61.3" });
    expect(gh.calls()).toEqual(["--version"]);
  });

  it("ghFactSource runs gh once for concurrent requests, and caches what gh answered", async () => {
    const gh = fakeGh();
    const facts = ghFactSource({ env: gh.env });
    await Promise.all([facts.facts(all), facts.facts(all), facts.facts(["ghAuthenticated"])]);
    await facts.facts(all);
    expect(gh.calls().toSorted()).toEqual(["--version", "auth token --hostname=github.com"]);
  });

  it("ghFactSource caches a negative fact (gh is missing) for 5 s and a positive fact for 30 s", async () => {
    const gh = fakeGh();
    let now = 0;
    const facts = ghFactSource({ env: gh.env, now: () => now });
    const isAuthenticated = async (): Promise<unknown> =>
      (await facts.facts(["ghAuthenticated"])).ghAuthenticated;
    gh.answer(1);
    expect(await isAuthenticated()).toBe(false);
    gh.answer(0);
    now = 4_999;
    expect(await isAuthenticated()).toBe(false);
    now = 5_000;
    expect(await isAuthenticated()).toBe(true);
    gh.answer(1);
    now = 34_999;
    expect(await isAuthenticated()).toBe(true);
    now = 35_000;
    expect(await isAuthenticated()).toBe(false);
  });

  it("ghFactSource.forget drops the named facts from the cache", async () => {
    const gh = fakeGh();
    const facts = ghFactSource({ env: gh.env });
    await facts.facts(["ghAuthenticated", "ghVersion"]);
    gh.answer(1);
    facts.forget(["ghAuthenticated"]);
    expect(await facts.facts(["ghAuthenticated", "ghVersion"])).toEqual({
      ghAuthenticated: false,
      ghVersion: "2.61.3",
    });
    expect(gh.calls()).toHaveLength(3);
  });

  it("ghFactSource starts no gh process if a token is given", async () => {
    const gh = fakeGh();
    const names = ["ghAuthenticated"] as const;
    const byEnvironment = ghFactSource({ env: { ...gh.env, GITHUB_TOKEN: "t" } });
    expect(await byEnvironment.facts(names)).toEqual({ ghAuthenticated: true });
    const byHand = ghFactSource({ env: gh.env, host: "ghe.example", token: "t" });
    expect(await byHand.facts(names)).toEqual({ ghAuthenticated: true });
    expect(gh.calls()).toEqual([]);
  });

  it("ghFactSource reports that gh is missing if gh is not installed", async () => {
    const facts = ghFactSource({ env: { PATH: tmpdir() } });
    expect(await facts.facts(all)).toEqual({
      ghAvailable: false,
      ghAuthenticated: false,
      host: "github.com",
    });
  });
});

describeWithProgram("gh", () => {
  const configDir = mkdtempSync(join(tmpdir(), "waybill-gh-"));

  it("ghFactSource reports the version of an installed gh, and that no user is logged in", async () => {
    const facts = ghFactSource({ env: { PATH }, configDir });
    expect(await facts.facts(all)).toEqual({
      ghAvailable: true,
      ghVersion: expect.stringMatching(/^\d+\.\d+\.\d+/u) as string,
      ghAuthenticated: false,
      host: "github.com",
    });
  });

  it("ghFactSource reports for each host whether the installed gh is logged in", async () => {
    const hosts = "ghe.example:\n    oauth_token: stored\n    user: me\n";
    writeFileSync(join(configDir, "hosts.yml"), hosts, { mode: 0o600 });
    const ask = (host: string): Promise<object> =>
      ghFactSource({ env: { PATH }, configDir, host }).facts(["ghAuthenticated"]);
    expect(await ask("ghe.example")).toEqual({ ghAuthenticated: true });
    expect(await ask("github.com")).toEqual({ ghAuthenticated: false });
  });
});
