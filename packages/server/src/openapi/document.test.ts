import { Validator } from "@seriousme/openapi-schema-validator";
import { createWaybill } from "@waybill/core";
import type { Source } from "@waybill/core";
import { describe, expect, it } from "vitest";
import { openapiSource } from "../../../adapters/src/openapi/index.ts";
import { loadDescription } from "../../../github/src/description/index.ts";
import { createHttpApp } from "../index.ts";

interface Described extends Record<string, unknown> {
  readonly paths: Record<string, Record<string, { readonly operationId: string }>>;
}

async function describedBy(source: Source): Promise<Described> {
  const waybill = createWaybill({ sources: [source] });
  const app = createHttpApp({ waybill, version: "1.0.0" });
  const headers = { host: "localhost" };
  const answer = await app.fetch(new Request("http://localhost/openapi.json", { headers }));
  return (await answer.json()) as Described;
}

describe("the OpenAPI document of the server", () => {
  it("the OpenAPI document is valid with more than 1,200 operations, each with a unique operationId", async () => {
    const github = openapiSource({ name: "github", document: await loadDescription() });
    const described = await describedBy(github);
    const ids = (await github.list()).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(1_200);
    const paths = Object.keys(described.paths);
    expect(ids.filter((id) => !paths.includes(`/v1/execute/${id}`))).toEqual([]);
    const names = Object.values(described.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(names).size).toBe(names.length);
    const { valid, errors } = await new Validator().validate(structuredClone(described));
    expect([valid, errors]).toEqual([true, undefined]);
  });

  it("the OpenAPI document leaves out an operation that its source cannot describe", async () => {
    const summary = { description: "d", effect: "read", idempotent: true, kind: "call" } as const;
    const broken: Source = {
      name: "broken",
      list: () => Promise.resolve([{ ...summary, id: "broken.one" }]),
      describe: () => {
        throw new Error("no description");
      },
      runOf: () => ({ kind: "local", handler: () => 1 }),
      close: () => Promise.resolve(),
    };
    const paths = Object.keys((await describedBy(broken)).paths);
    expect(paths).toContain("/v1/execute/{id}");
    expect(paths).not.toContain("/v1/execute/broken.one");
  });
});
