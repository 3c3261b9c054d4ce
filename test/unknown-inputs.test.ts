import { afterAll, describe, expect, it } from "vitest";
import { createHttpTransport } from "@waybill/adapters/http";
import { graphSource } from "@waybill/codegraph";
import { createWaybill } from "@waybill/core";
import type { Issue, OperationSpec } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import { githubSource } from "@waybill/github";
import { githubApiSource } from "@waybill/github/api";

const NAME = "zebraStripes";
// No request is sent: every input is refused before a route is chosen.
const place = {
  host: "github.com",
  restUrl: "http://127.0.0.1:9",
  graphqlUrl: "http://127.0.0.1:9/graphql",
  token: "unused-in-this-test",
  ghConfigDir: null,
};
const around = { env: {}, transport: createHttpTransport(), userAgent: "waybill-test" };
const waybill = createWaybill({
  sources: [
    githubSource(place, around),
    githubApiSource(place, around),
    graphSource({ root: import.meta.dirname }),
  ],
});
/**
 * Preparing a schema takes milliseconds, so only some of GitHub's thousand raw operations are
 * tried.
 */
const RAW_STEP = 12;
const all = await waybill.operations();
const raw = all.filter(({ id }) => id.startsWith("github."));
const operations = [
  ...all.filter((spec) => !raw.includes(spec)),
  ...raw.filter((_, index) => index % RAW_STEP === 0),
];
afterAll(() => waybill.close());

/** The error about an input of that name, if the call is refused because of it. */
async function complaint({ id }: OperationSpec, name: string): Promise<Issue | undefined> {
  const { error } = await waybill.execute(id, { [name]: 1 });
  const issues = (error?.details?.["issues"] ?? []) as readonly Issue[];
  return error?.code === "VALIDATION" ? issues.find(({ path }) => path === `/${name}`) : undefined;
}

/**
 * The longest input name of an operation. Short names have too many similar names to be recognised.
 */
function longestInput({ inputSchema }: OperationSpec): string {
  const properties = isRecord(inputSchema) && inputSchema["properties"];
  const names = isRecord(properties) ? Object.keys(properties) : [];
  return names.toSorted((a, b) => b.length - a.length)[0] ?? "";
}

/** The name with its third and fourth letter in the wrong order, as in `lables`. */
function misspell(name: string): string {
  return name.slice(0, 2) + name[3] + name[2] + name.slice(4);
}

describe("unknown input names", () => {
  it("the test of unknown inputs covers the capabilities of every pack", () => {
    const domains = new Set(operations.map(({ id }) => id.split(".", 1)[0]));
    expect([...domains]).toEqual(expect.arrayContaining(["issue", "github", "graph"]));
    expect(operations.length).toBeGreaterThan(200);
  });

  it("every capability of every pack rejects an unknown input name", async () => {
    const accepted: string[] = [];
    for (const spec of operations) {
      if ((await complaint(spec, NAME)) === undefined) accepted.push(spec.id);
    }
    expect(accepted).toEqual([]);
  });

  it("every capability of every pack suggests the right name for a misspelt input", async () => {
    const unnamed: string[] = [];
    let tried = 0;
    for (const spec of operations) {
      const name = longestInput(spec);
      if (name.length < 5 || name[2] === name[3]) continue;
      tried += 1;
      const found = await complaint(spec, misspell(name));
      if (found?.did_you_mean !== name) unnamed.push(`${spec.id}: ${name}`);
    }
    expect(unnamed).toEqual([]);
    expect(tried).toBeGreaterThan(150);
  });
});
