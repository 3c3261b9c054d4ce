import { readFileSync } from "node:fs";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { githubApiSource } from "./api-source.ts";
import { GH_MEANINGS } from "./gh-meanings.ts";
import { ghReference } from "./fixtures/gh-reference.ts";
import { githubGraphqlSource } from "./graphql-source.ts";
import { githubSource } from "./source.ts";

const transport = createHttpTransport();
let waybill: Waybill;

/** GitHub is not called, because a search sends no request. */
beforeAll(() => {
  const url = "http://127.0.0.1:9";
  const place = { host: "github.com", restUrl: url, graphqlUrl: url, token: "t" };
  const around = { env: {}, cwd: "/", transport, userAgent: "test", repository: undefined };
  waybill = createWaybill({
    sources: [
      githubSource(place, around),
      githubGraphqlSource(place, around),
      githubApiSource(place, around),
    ],
  });
});

afterAll(async () => {
  await waybill.close();
  transport.close();
});

type Meaning = readonly [query: string, ids: readonly string[]];

async function firstFour(query: string): Promise<string[]> {
  const found = await waybill.list_capabilities({ query, wait_ms: 60_000 });
  return found.slice(0, 4).map(({ capability_id }) => capability_id);
}

/**
 * The queries that do not find any of their expected operations, with the operations that they
 * find.
 */
async function missed(meanings: readonly Meaning[]): Promise<string[]> {
  const lines: string[] = [];
  for (const [query, ids] of meanings) {
    const found = await firstFour(query);
    if (!found.some((id) => ids.includes(id))) {
      lines.push(`${query} → ${found.join(", ")} instead of ${ids.join(", ")}`);
    }
  }
  return lines;
}

function expectFound(count: number, lines: readonly string[]): void {
  const most = Math.floor(count * 0.05);
  expect(lines.length > most ? lines : []).toEqual([]);
}

interface Tool {
  readonly about: string;
  readonly use: readonly string[];
}

const TOOLS = new URL("../../mcp-tools.yaml", import.meta.url);
const tools = Object.entries(parse(readFileSync(TOOLS, "utf8")) as Record<string, Tool>);

describe("search for capabilities", () => {
  it("search finds the operation for 95 % of gh commands by gh's own description", async () => {
    const reference = ghReference();
    const meanings = Object.entries(GH_MEANINGS).flatMap(([command, ids]): Meaning[] => {
      const known = reference.get(command);
      return known === undefined ? [] : [[known.about, ids]];
    });
    expect(meanings.length).toBeGreaterThan(80);
    expectFound(meanings.length, await missed(meanings));
  });

  it("search finds the operation for 95 % of the tools of GitHub's MCP server by the tool's description", async () => {
    const meanings = tools.map(([, { about, use }]): Meaning => [about, use]);
    expectFound(meanings.length, await missed(meanings));
  });
});

describe("tools of GitHub's MCP server", () => {
  it("the table of equivalents lists all 86 tools of GitHub's MCP server and only operations that exist", async () => {
    expect(tools).toHaveLength(86);
    const wanted = [...tools.flatMap(([, { use }]) => use), ...Object.values(GH_MEANINGS).flat()];
    const found = await Promise.all(wanted.map(async (id) => (await waybill.describe(id)).spec.id));
    expect(found).toEqual(wanted);
  });
});
