import { existsSync } from "node:fs";
import { join } from "node:path";
import { createWaybill } from "@waybill/core";
import type { ResultEnvelope, Waybill } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { executeTask } from "waybill";
import { findGithub } from "@waybill/github";
import { startEmbedded } from "../../packages/github/src/pack/fixtures/embedded.ts";
import type { Embedded } from "../../packages/github/src/pack/fixtures/embedded.ts";
import { githubKit } from "../../packages/github/src/pack/kit.ts";
import { packSource } from "../../packages/github/src/pack/source.ts";
import { createHttpTransport } from "@waybill/adapters/http";
import { root } from "../../scripts/run.mjs";
import { describeWithProgram } from "../support/programs.ts";
import { useEmbeddedGithub } from "./support/embedded-github.ts";
import { runWaybill } from "./support/run-waybill.ts";

const HELLO = { owner: "octo", name: "hello" };

async function open(): Promise<Embedded> {
  const embedded = await startEmbedded({ waybill: { retry: { maxAttempts: 1 } } });
  onTestFinished(() => embedded.close());
  return embedded;
}

/**
 * The GitHub pack with the `cli` route first, as in the document's examples, and with the given
 * facts about the machine.
 */
async function openCliFirst(
  env: Record<string, string | undefined>,
  token = true,
): Promise<{
  readonly waybill: Waybill;
  readonly embedded: Embedded;
}> {
  const embedded = await open();
  const transport = createHttpTransport();
  const { token: known, ghToken, ...rest } = embedded.place;
  const place = token ? embedded.place : { ...rest, token: () => Promise.resolve(undefined) };
  void [known, ghToken];
  const isOffline = (): boolean => env["WAYBILL_OFFLINE"] === "1";
  const own = { HOME: "/nonexistent", ...env };
  const around = { env: own, transport, userAgent: "waybill-test", isOffline };
  const waybill = createWaybill({ sources: [packSource(githubKit(place, around), "cli")] });
  onTestFinished(async () => {
    await waybill.close();
    transport.close();
  });
  return { waybill, embedded };
}

function shownAttempts({ meta }: ResultEnvelope): unknown[] {
  return (meta.attempts ?? []).map(({ route, status, error_code }) => [route, status, error_code]);
}

describe("Three Routes", () => {
  it("repo.view has all three routes", async () => {
    const { waybill } = await open();
    const { preferred_route, fallback_routes } = await waybill.explain("repo.view");
    expect([preferred_route, ...fallback_routes].toSorted()).toEqual(["cli", "graphql", "rest"]);
  });
});

describe("Route Preferences", () => {
  it("waybill capabilities list prints ids and descriptions as JSON", async () => {
    const { exit, stdout } = await runWaybill(["capabilities", "list"]);
    expect(exit).toBe(0);
    const items = JSON.parse(stdout) as { capability_id: string; description: string }[];
    expect(items.find(({ capability_id }) => capability_id === "repo.view")).toMatchObject({
      capability_id: "repo.view",
      description: expect.any(String) as string,
    });
  });

  it("waybill capabilities explain prints the routes in order as JSON", async () => {
    const { stdout } = await runWaybill(["capabilities", "explain", "repo.view"]);
    expect(JSON.parse(stdout)).toMatchObject({
      capability_id: "repo.view",
      purpose: expect.any(String) as string,
      preferred_route: "graphql",
      fallback_routes: ["rest", "cli"],
    });
  });

  it("waybill capabilities list and explain print compact text with --brief", async () => {
    const list = await runWaybill(["capabilities", "list", "--brief"]);
    expect(list.stdout).toMatch(/^repo\.view Show a repository$/mu);
    const explained = await runWaybill(["capabilities", "explain", "repo.view", "--brief"]);
    expect(explained.stdout).toMatch(/^via: graphql, rest, cli/mu);
  });
});

describe("Preflight Checks", () => {
  it("a call skips a missing gh, and the fallback answers", async () => {
    const { waybill } = await openCliFirst({ PATH: "/nonexistent" });
    const result = await waybill.execute("repo.view", HELLO);
    expect(result.meta).toMatchObject({ route_used: "graphql", reason: "CLI_NOT_AVAILABLE" });
    expect(shownAttempts(result)).toEqual([
      ["cli", "skipped", "CLI_NOT_AVAILABLE"],
      ["graphql", "success", undefined],
    ]);
  });

  describeWithProgram("gh", () => {
    it("a call skips a gh that is not logged in, and returns AUTH without a token", async () => {
      const { waybill } = await openCliFirst({ PATH: process.env["PATH"] }, false);
      const result = await waybill.execute("repo.view", HELLO);
      expect(result.error).toMatchObject({ code: "AUTH", retryable: false });
      expect(shownAttempts(result)).toEqual([
        ["cli", "skipped", "CLI_UNAUTHENTICATED"],
        ["graphql", "skipped", "TOKEN_MISSING"],
        ["rest", "skipped", "TOKEN_MISSING"],
      ]);
      expect(result.meta.reason).toBe("CLI_UNAUTHENTICATED");
    });
  });

  it("a call on a machine that is offline sends nothing", async () => {
    const { waybill, embedded } = await openCliFirst({ WAYBILL_OFFLINE: "1" });
    const result = await waybill.execute("repo.view", HELLO);
    expect(result.error?.code).toBe("NETWORK");
    expect(shownAttempts(result)[0]).toEqual(["cli", "skipped", "OFFLINE"]);
    expect(embedded.github.requests).toEqual([]);
  });
});

describe("Deterministic Behavior", () => {
  it("fifty equal requests take one route for one reason", async () => {
    const { waybill } = await open();
    const ways = new Set<string>();
    for (let round = 0; round < 50; round++) {
      const { meta } = await waybill.execute("repo.view", HELLO);
      ways.add(`${meta.route_used} ${meta.reason}`);
    }
    expect([...ways]).toEqual(["graphql CARD_PREFERRED"]);
  });
});

describe("What Happens When a Route Fails", () => {
  it("the attempts of a call that the fallback answered show the failed and the successful route", async () => {
    const { github, waybill } = await open();
    github.faults.inject({ kind: "status", status: 500, match: { path: "/graphql" } });
    const result = await waybill.execute("repo.view", HELLO);
    expect(result).toMatchObject({
      ok: true,
      meta: { route_used: "rest", reason: "PREFERRED_ROUTE_FAILED" },
    });
    expect(shownAttempts(result)).toEqual([
      ["graphql", "error", "SERVER"],
      ["rest", "success", undefined],
    ]);
  });

  it("a call without a fallback returns the error of its only route", async () => {
    const embedded = await open();
    const { github } = embedded;
    github.faults.inject({ kind: "status", status: 500, times: 10 });
    const result = await embedded.by("graphql").execute("discussion.list", HELLO);
    expect(result.error?.code).toBe("SERVER");
    expect(result.meta.route_used).toBe("graphql");
  });

  it("a retryable failure is retried before the call falls back", async () => {
    const embedded = await startEmbedded({ waybill: { retry: { baseDelayMs: 1, maxDelayMs: 1 } } });
    onTestFinished(() => embedded.close());
    embedded.github.faults.inject({ kind: "drop", match: { path: "/graphql" }, times: 10 });
    const result = await embedded.waybill.execute("repo.view", HELLO);
    expect(shownAttempts(result)).toEqual([
      ["graphql", "error", "NETWORK"],
      ["graphql", "error", "NETWORK"],
      ["graphql", "error", "NETWORK"],
      ["rest", "success", undefined],
    ]);
  });
});

describe("Reading Routing Metadata", () => {
  it("a call whose routes were all skipped has a reason", async () => {
    const { waybill } = await openCliFirst({ PATH: "/nonexistent" }, false);
    const { ok, meta } = await waybill.execute("repo.view", HELLO);
    expect(ok).toBe(false);
    expect(meta).toMatchObject({ capability_id: "repo.view", reason: "CLI_NOT_AVAILABLE" });
  });

  it.each([
    ["a wrong input", { owner: "octo" }, {}],
    ["a keyed write without a journal", { ...HELLO, title: "x" }, { idempotency_key: "k" }],
    ["a deadline that has passed", { ...HELLO, title: "x" }, { deadline_ms: 0.001 }],
    ["a dry run", { ...HELLO, title: "x" }, { dry_run: true }],
  ])(
    "the envelope for %s has a route reason, although no route was tried",
    async (_, params, options) => {
      const { waybill, github } = await open();
      // Whether an operation has routes is known only after its source has answered.
      await waybill.explain("issue.create");
      const { meta } = await waybill.execute("issue.create", params, options);
      expect(meta.reason).toEqual(expect.any(String));
      expect(github.requests).toEqual([]);
    },
  );

  it("a forced route has the reason DEFAULT_POLICY", async () => {
    const { waybill } = await open();
    const { meta } = await waybill.execute("repo.view", HELLO, { route: "rest", trace: true });
    expect(meta).toMatchObject({ route_used: "rest", reason: "DEFAULT_POLICY" });
    expect(meta.attempts).toMatchObject([{ route: "rest", status: "success" }]);
    expect(meta.attempts?.[0]?.duration_ms).toBeGreaterThan(0);
  });
});

describe("Practical Examples", () => {
  describeWithProgram("gh", () => {
    it("the documented routing example in which gh is available is answered by gh", async () => {
      const { waybill, embedded } = await openCliFirst({ PATH: process.env["PATH"] });
      const home = embedded.place.ghConfigDir ?? "";
      expect(home).not.toBe("");
      const { meta } = await waybill.execute("repo.view", HELLO, { trace: true });
      expect(meta).toMatchObject({
        route_used: "cli",
        reason: "CARD_PREFERRED",
        attempts: [{ route: "cli", status: "success" }],
      });
    });
  });

  it("repo.view with the cli route preferred is answered over GraphQL if gh is not installed", async () => {
    const { waybill } = await openCliFirst({ PATH: "/nonexistent" });
    const { meta } = await waybill.execute("repo.view", HELLO);
    expect(meta).toMatchObject({ route_used: "graphql", reason: "CLI_NOT_AVAILABLE" });
  });

  it("the documented routing example with NOT_FOUND does not fall back", async () => {
    await useEmbeddedGithub();
    const result = await executeTask("repo.view", { owner: "nonexistent", name: "repo" });
    expect(result.error).toMatchObject({ code: "NOT_FOUND", retryable: false });
    expect(result.error?.message).toContain("Repository nonexistent/repo");
    expect(shownAttempts(result)).toEqual([["graphql", "error", "NOT_FOUND"]]);
  });

  it("the documented routing example can check which route was used", async () => {
    await useEmbeddedGithub();
    const result = await executeTask("repo.view", HELLO);
    const said: string[] = [];
    if (result.meta.route_used === "cli") {
      said.push("Executed via CLI");
    } else if (result.meta.route_used === "graphql") {
      said.push("Executed via GraphQL");
    }
    if (result.meta.attempts && result.meta.attempts.length > 1) {
      said.push("Fallback was triggered");
    }
    expect(said).toEqual(["Executed via GraphQL"]);
  });
});

describe("Performance Implications", () => {
  it("the routing page links to a page with the measured times", () => {
    expect(existsSync(join(root, "docs/comparison/benchmark.md"))).toBe(true);
  });
});

describe("Enterprise and Custom Hosts", () => {
  it("GH_HOST selects the host of gh and the API endpoints", async () => {
    const env = { GH_HOST: "github.mycompany.com", GH_ENTERPRISE_TOKEN: "ghp_enterprise" };
    const place = await findGithub({ env, state: "/nonexistent" });
    expect(place).toMatchObject({
      host: "github.mycompany.com",
      graphqlUrl: "https://github.mycompany.com/api/graphql",
      restUrl: "https://github.mycompany.com/api/v3",
    });
  });
});
