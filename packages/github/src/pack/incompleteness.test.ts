import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import { afterEach, describe, expect, it } from "vitest";
import { githubApiSource } from "./api-source.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";

let embedded: Embedded | undefined;
afterEach(() => embedded?.close());

const CUT = JSON.stringify({ total_count: 5, incomplete_results: true, items: [] });
const SSO = { "x-github-sso": "partial-results; organizations=21955855,20582480" };

describe("incomplete answers", () => {
  it.each([
    ["search.repos", "rest"],
    ["search.issues", "rest"],
    ["search.prs", "rest"],
    ["search.code", "rest"],
    ["search.code", "cli"],
  ] as const)("%s on the %s route warns when GitHub's search timed out", async (id, route) => {
    embedded = await startEmbedded();
    embedded.github.faults.inject({ kind: "status", status: 200, body: CUT });
    const { error, meta } = await embedded.by(route).execute(id, { query: "hello" });
    expect(error).toBeNull();
    expect(meta.warnings).toContainEqual(expect.stringContaining("search timed out"));
  });

  it.each(["rest", "cli"] as const)(
    "notification.list on the %s route warns if missing SSO authorization hides organizations",
    async (route) => {
      embedded = await startEmbedded();
      embedded.github.faults.inject({ kind: "status", status: 200, body: "[]", headers: SSO });
      const { error, meta } = await embedded.by(route).execute("notification.list");
      expect(error).toBeNull();
      expect(meta.warnings).toContainEqual(expect.stringContaining("21955855,20582480"));
    },
  );

  it.each([
    ["workflow.job.logs.view", "rest"],
    ["workflow.job.logs.view", "cli"],
    ["workflow.job.logs.raw", "rest"],
    ["workflow.job.logs.raw", "cli"],
  ] as const)("%s on the %s route warns when lines of the log are left out", async (id, route) => {
    embedded = await startEmbedded();
    const { github } = embedded;
    const [run] = github.store.repositories.flatMap(({ runs }) => runs);
    const jobId = run!.suite.checkRuns[0]!.id;
    const params = { owner: "octo", name: "hello", jobId };
    const cut = await embedded.by(route).execute(id, { ...params, lines: 1 });
    expect(cut.error).toBeNull();
    expect(cut.data).toMatchObject({ truncated: true });
    expect(cut.meta.warnings).toContainEqual(expect.stringContaining("incomplete"));
    const whole = await embedded.by(route).execute(id, { ...params, lines: 2_000 });
    expect([whole.error, whole.meta.warnings]).toEqual([null, undefined]);
  });

  it.each(["rest", "cli"] as const)(
    "file.list on the %s route warns if GitHub cut the list of files",
    async (route) => {
      embedded = await startEmbedded();
      const tree = [{ path: "a", mode: "100644", type: "blob", sha: "1", size: 1 }];
      const body = JSON.stringify({ sha: "1", truncated: true, tree });
      const match = { path: /\/git\/trees\// };
      embedded.github.faults.inject({ kind: "status", status: 200, body, match });
      const params = { owner: "octo", name: "hello", recursive: true };
      const { error, meta } = await embedded.by(route).execute("file.list", params);
      expect(error).toBeNull();
      expect(meta.warnings).toContainEqual(expect.stringContaining("cut the list of files"));
    },
  );

  it.each([
    ["github.search.repos", { q: "x" }, CUT, {}, "search timed out"],
    ["github.issues.list", {}, "[]", SSO, "21955855,20582480"],
    [
      "github.git.get-tree",
      { owner: "octo", repo: "hello", tree_sha: "main" },
      JSON.stringify({ sha: "1", truncated: true, tree: [] }),
      {},
      "cut the list of files",
    ],
  ])(
    "the raw operation %s warns about an incomplete answer",
    async (id, params, body, headers, warning) => {
      embedded = await startEmbedded();
      embedded.github.faults.inject({ kind: "status", status: 200, body, headers });
      const { place } = embedded;
      const transport = createHttpTransport();
      const source = githubApiSource(place, { env: {}, transport, userAgent: "waybill-test" });
      const waybill = createWaybill({ sources: [source] });
      const { error, meta } = await waybill.execute(id, params);
      await waybill.close();
      transport.close();
      expect(error).toBeNull();
      expect(meta.warnings).toContainEqual(expect.stringContaining(warning));
    },
  );
});
