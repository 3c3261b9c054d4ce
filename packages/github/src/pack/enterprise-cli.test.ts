import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { TOKENS, startGithubEmulator } from "../emulator/index.ts";
import { apiOf } from "./place.ts";
import { githubSource } from "./source.ts";

/** An Enterprise Server whose stored files are on another host, reached by the real `gh`. */
async function openEnterprise(): Promise<Waybill> {
  const github = await startGithubEmulator({ https: true });
  const folder = await mkdtemp(join(tmpdir(), "waybill-ghes-"));
  const authority = join(folder, "ca.pem");
  await writeFile(authority, github.ca!);
  const { host } = new URL(github.url);
  const token = TOKENS.octocat;
  const place = { host, ...apiOf(host), token, ghToken: token, ghConfigDir: folder };
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

describe("an Enterprise Server by gh", () => {
  it("answers, also with what is kept on a storage host", async () => {
    const waybill = await openEnterprise();
    for (const [id, params, text] of [
      ["issue.view", { ...HELLO, issueNumber: 1 }, "Greeting fails"],
      ["pr.diff.view", { ...HELLO, prNumber: 6 }, "diff --git"],
      ["workflow.job.logs.raw", { ...HELLO, jobId: 1004 }, "AssertionError"],
      ["workflow.job.logs.view", { ...HELLO, jobId: 1004 }, "Run npm test"],
    ] as const) {
      const { data, error, meta } = await waybill.execute(id, params, { route: "cli" });
      expect([id, error, meta.route_used]).toEqual([id, null, "cli"]);
      expect(JSON.stringify(data)).toContain(text);
    }
  });
});
