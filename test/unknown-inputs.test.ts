import { afterAll, describe, expect, it } from "vitest";
import { createHttpTransport } from "@waybill/adapters/http";
import { graphSource } from "@waybill/codegraph";
import { createWaybill } from "@waybill/core";
import type { OperationSpec } from "@waybill/core";
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

async function isRefused({ id }: OperationSpec): Promise<boolean> {
  const { error } = await waybill.execute(id, { [NAME]: 1 });
  const issues = (error?.details?.["issues"] ?? []) as readonly { readonly path: string }[];
  return error?.code === "VALIDATION" && issues.some(({ path }) => path === `/${NAME}`);
}

describe("unknown input names", () => {
  it("covers the capabilities of every pack", () => {
    const domains = new Set(operations.map(({ id }) => id.split(".", 1)[0]));
    expect([...domains]).toEqual(expect.arrayContaining(["issue", "github", "graph"]));
    expect(operations.length).toBeGreaterThan(200);
  });

  it("rejects an unknown input name for every capability of every pack", async () => {
    const accepted: string[] = [];
    for (const spec of operations) {
      if (!(await isRefused(spec))) accepted.push(spec.id);
    }
    expect(accepted).toEqual([]);
  });
});
