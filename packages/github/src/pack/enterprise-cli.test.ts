import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { TOKENS, startGithubEmulator } from "../emulator/index.ts";
import { getApi } from "./github-host.ts";
import { githubSource } from "./source.ts";

/** Where `gh` gets its token: from its own login, or from the environment. */
type Login = "own" | "environment";

/** An Enterprise Server whose stored files are on another host, reached by the real `gh`. */
async function openEnterprise(login: Login): Promise<Waybill> {
  const github = await startGithubEmulator({ https: true });
  const folder = await mkdtemp(join(tmpdir(), "waybill-ghes-"));
  const authority = join(folder, "ca.pem");
  await writeFile(authority, github.ca!);
  const { host } = new URL(github.url);
  const kept = [`${JSON.stringify(host)}:`, "  user: octocat", `  oauth_token: ${TOKENS.octocat}`];
  const hosts = login === "own" ? `${kept.join("\n")}\n` : "";
  await writeFile(join(folder, "hosts.yml"), hosts, { mode: 0o600 });
  const given = login === "own" ? {} : { ghToken: TOKENS.octocat };
  const place = { host, ...getApi(host), ghConfigDir: folder, ...given };
  const transport = createHttpTransport();
  const env = { PATH: process.env["PATH"], HOME: folder, SSL_CERT_FILE: authority };
  const around = { env, transport, userAgent: "waybill-test" };
  const waybill = createWaybill({ sources: [githubSource(place, around)] });
  onTestFinished(async () => {
    await waybill.close();
    transport.close();
    await github.close();
    await rm(folder, { recursive: true, force: true });
  });
  return waybill;
}

const HELLO = { owner: "octo", name: "hello" };
const CALLS = [
  ["issue.view", { ...HELLO, issueNumber: 1 }, "Greeting fails"],
  ["pr.diff.view", { ...HELLO, prNumber: 6 }, "diff --git"],
] as const;
const STORED = [
  ["workflow.job.logs.raw", { ...HELLO, jobId: 1004 }, "AssertionError"],
  ["workflow.job.logs.view", { ...HELLO, jobId: 1004 }, "Run npm test"],
] as const;

async function expectAnswers(
  waybill: Waybill,
  calls: readonly (typeof CALLS | typeof STORED)[number][],
): Promise<void> {
  for (const [id, params, text] of calls) {
    const { data, error, meta } = await waybill.execute(id, params, { route: "cli" });
    expect([id, error, meta.route_used]).toEqual([id, null, "cli"]);
    expect(JSON.stringify(data)).toContain(text);
  }
}

/** Versions of `gh` before 2.32 send a token from the environment to the storage host. */
function isOldGh(): boolean {
  const text = execFileSync("gh", ["--version"], { encoding: "utf8" });
  const [, major, minor] = /version (\d+)\.(\d+)/u.exec(text) ?? [];
  return Number(major) === 2 && Number(minor) < 32;
}

describe("GitHub Enterprise Server by gh", () => {
  it("the gh route calls an Enterprise Server and reads files from its storage host", async () => {
    await expectAnswers(await openEnterprise("own"), [...CALLS, ...STORED]);
  });

  it("the gh route uses a token from the environment for an Enterprise Server, or says which gh version is needed", async () => {
    const waybill = await openEnterprise("environment");
    await expectAnswers(waybill, CALLS);
    if (!isOldGh()) return expectAnswers(waybill, STORED);
    for (const [id, params] of STORED) {
      const { error, meta } = await waybill.execute(id, params, { route: "cli" });
      expect(error?.code).toBe("ADAPTER_UNSUPPORTED");
      expect(error?.message).toMatch(/update gh to 2\.32\.0 or run: gh auth login --hostname/u);
      expect(meta.attempts?.[0]).toMatchObject({ error_code: "CLI_VERSION" });
    }
  });
});
