import { readFileSync } from "node:fs";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import type { Issue, Waybill } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { githubApiSource } from "./api-source.ts";
import { GH_MEANINGS } from "./gh-meanings.ts";
import { ghReference } from "./fixtures/gh-reference.ts";
import { MCP_INPUTS } from "./fixtures/mcp-inputs.ts";
import { githubGraphqlSource } from "./graphql-source.ts";
import { githubSource } from "./source.ts";

const transport = createHttpTransport();
let waybill: Waybill;

/** GitHub is not called, because invalid inputs are refused before a request is sent. */
beforeAll(() => {
  const url = "http://127.0.0.1:9";
  const place = { host: "github.com", restUrl: url, graphqlUrl: url, token: "t", ghToken: "t" };
  const around = { env: {}, transport, userAgent: "test" };
  const github = { ...place, ghConfigDir: null };
  waybill = createWaybill({
    sources: [
      githubSource(github, around),
      githubGraphqlSource(github, around),
      githubApiSource(github, around),
    ],
    policy: { confirm: "none" },
  });
});

afterAll(async () => {
  await waybill.close();
  transport.close();
});

/** Returns the error about an input; undefined if the input is accepted. */
async function complaint(id: string, name: string, value: unknown): Promise<Issue | undefined> {
  const { spec } = await waybill.describe(id);
  const properties = isRecord(spec.inputSchema) ? spec.inputSchema["properties"] : {};
  const isInRepository = isRecord(properties) && (properties["name"] ?? properties["repo"]);
  const repository = isInRepository === undefined || name === "repo" ? {} : { repo: "o/r" };
  const { error } = await waybill.execute(id, { ...repository, [name]: value }, { dry_run: true });
  const issues = (error?.details?.["issues"] ?? []) as Issue[];
  return issues.find(
    ({ path, message }) => path === `/${name}` && message.startsWith("is not an input"),
  );
}

function hasNextStep({ message, did_you_mean }: Issue): boolean {
  return did_you_mean !== undefined || message.startsWith("is not an input; ");
}

/**
 * Returns the input if no operation accepts it with any of the values, and no error names the next
 * step.
 */
async function lost(ids: readonly string[], name: string, values: unknown[]): Promise<string[]> {
  const complaints: Issue[] = [];
  for (const id of ids) {
    for (const value of values) {
      const found = await complaint(id, name, value);
      if (found === undefined) return [];
      complaints.push(found);
    }
  }
  return complaints.some(hasNextStep) ? [] : [`${name} of ${ids.join(", ")}`];
}

describe("next steps for unknown inputs", () => {
  it("the errors for unknown inputs name only existing operations as the next step", async () => {
    const text = readFileSync(new URL("other-ways.ts", import.meta.url), "utf8");
    const named = text.match(/(?<=(?:use|call|then|or|and) )[a-z][\w-]*(?:\.[\w-]+)+/gu) ?? [];
    expect(named.length).toBeGreaterThan(40);
    for (const id of named) expect((await waybill.describe(id)).spec.id).toBe(id);
  });

  it.each([
    ["issue.update", "comment", "x", "issue.comments.create"],
    ["pr.update", "comment", "x", "pr.comments.create"],
    ["pr.update", "merged", true, "pr.merge"],
  ])("%s rejects %s=%s, and the error names %s", async (id, name, value, other) => {
    expect((await complaint(id, name, value))?.message).toContain(`use ${other}`);
  });
});

describe("inputs of gh and of GitHub's MCP server", () => {
  it("GitHub capabilities accept or explain every flag of gh", async () => {
    const reference = ghReference();
    const flags = Object.entries(GH_MEANINGS).flatMap(([command, ids]) =>
      (reference.get(command)?.flags ?? []).map((flag) => ({ ...flag, ids })),
    );
    expect(flags.length).toBeGreaterThan(350);
    const found: string[] = [];
    for (const { ids, name, takes } of flags) {
      const value = takes === undefined ? true : "x";
      found.push(...(await lost(ids, name.replaceAll("-", "_"), [value])));
    }
    expect(found).toEqual([]);
  });

  it("GitHub capabilities accept or explain every input of GitHub's MCP tools", async () => {
    const file = new URL("../../mcp-tools.yaml", import.meta.url);
    const tools = parse(readFileSync(file, "utf8")) as Record<string, { use: string[] }>;
    const found: string[] = [];
    for (const [tool, { use }] of Object.entries(tools)) {
      for (const name of (MCP_INPUTS[tool] ?? "").split(" ").filter(Boolean)) {
        const left = await lost(use, name, ["x", true]);
        found.push(...left.map((one) => `${tool}: ${one}`));
      }
    }
    expect(found).toEqual([]);
  });
});
