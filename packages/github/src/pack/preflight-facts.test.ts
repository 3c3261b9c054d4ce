import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { TOKENS, startGithubEmulator } from "../emulator/index.ts";
import type { GithubEmulator } from "../emulator/index.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { GithubSurroundings, TokenScopeStore } from "./surroundings.ts";
import { githubSource } from "./source.ts";

const HELLO = { owner: "octo", name: "hello" };

function memoryScopes(): TokenScopeStore & { readonly kept: Map<string, readonly string[]> } {
  const kept = new Map<string, readonly string[]>();
  return {
    kept,
    read: (account) => Promise.resolve(kept.get(account)),
    write: async (account, scopes) => void kept.set(account, scopes),
  };
}

/** Simulates another process that uses the same GitHub and state folder. */
function openProcess(github: GithubEmulator, more: Partial<GithubSurroundings>, token: string) {
  const transport = createHttpTransport();
  const place = {
    host: "github.com",
    restUrl: github.url,
    graphqlUrl: `${github.url}/graphql`,
    token,
    ghConfigDir: null,
  };
  const around = { env: {}, transport, userAgent: "test", ...more };
  return createWaybill({ sources: [githubSource(place, around)], policy: { confirm: "none" } });
}

async function startGithub(): Promise<GithubEmulator> {
  const github = await startGithubEmulator();
  onTestFinished(() => github.close());
  return github;
}

function sentWrites({ requests }: GithubEmulator): readonly object[] {
  return requests.filter(({ isWrite }) => isWrite);
}

describe("known token scopes", () => {
  it("a write is refused for a missing token scope that another process found out", async () => {
    const github = await startGithub();
    const scopes = memoryScopes();
    const first = openProcess(github, { scopes }, TOKENS.readOnly);
    expect((await first.execute("user.me")).ok).toBe(true);
    await first.close();
    const second = openProcess(github, { scopes }, TOKENS.readOnly);
    const params = { ...HELLO, label: "x" };
    const { error, meta } = await second.execute("label.create", params, { trace: true });
    await second.close();
    expect(error?.code).toBe("AUTH");
    expect(JSON.stringify(meta)).toContain("SCOPE_MISSING");
    expect(sentWrites(github)).toEqual([]);
    expect([...scopes.kept.keys()].join()).not.toContain(TOKENS.readOnly);
  });

  it("Waybill stores the known scopes of each token separately", async () => {
    const github = await startGithub();
    const scopes = memoryScopes();
    for (const token of [TOKENS.readOnly, TOKENS.octocat]) {
      const waybill = openProcess(github, { scopes }, token);
      await waybill.execute("user.me");
      await waybill.close();
    }
    const other = openProcess(github, { scopes }, TOKENS.octocat);
    expect((await other.execute("label.create", { ...HELLO, label: "x" })).ok).toBe(true);
    await other.close();
    expect(scopes.kept.size).toBe(2);
  });
});

describe("preflight", () => {
  it("a GitHub call without a network returns OFFLINE and sends nothing", async () => {
    const github = await startGithub();
    const waybill = openProcess(github, { isOffline: () => true }, TOKENS.octocat);
    const { error, meta } = await waybill.execute("user.me", {}, { trace: true });
    await waybill.close();
    expect(error).toMatchObject({
      code: "NETWORK",
      message: expect.stringMatching(/network/u) as string,
    });
    expect(meta.attempts?.map(({ error_code }) => error_code)).toContain("OFFLINE");
    expect(github.requests).toEqual([]);
  });

  it("a route whose limit the call exceeds is skipped with LIMIT_EXCEEDED, and the next route is used", async () => {
    const embedded = await startEmbedded();
    onTestFinished(() => embedded.close());
    const params = { ...HELLO, title: "Part", parent: 1 };
    const refused = await embedded.waybill.execute("issue.create", params, {
      route: "rest",
      trace: true,
    });
    expect(JSON.stringify(refused)).toContain("LIMIT_EXCEEDED");
    const { ok, meta } = await embedded.waybill.execute("issue.create", params);
    expect([ok, meta.route_used]).toEqual([true, "graphql"]);
  });
});
