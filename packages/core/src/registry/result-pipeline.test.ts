import { describe, expect, it } from "vitest";
import { httpEnvelope, localEnvelope, mcpEnvelope } from "../envelope/index.ts";
import type { JsonSchema, ResponseEnvelope } from "../envelope/index.ts";
import { defineOperation } from "../operation/index.ts";
import { OperationRegistry } from "../execute/index.ts";

const issue: JsonSchema = {
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "integer" },
    labels: { type: "array", items: { type: "string" } },
    state: { type: "string", default: "open" },
  },
};
const closed: JsonSchema = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "integer" }, tags: { type: "array" } },
  additionalProperties: false,
};

async function answer(
  value: unknown,
  output: JsonSchema,
  facts: object = {},
): Promise<ResponseEnvelope> {
  const registry = new OperationRegistry();
  const handler = (): unknown => value;
  registry.register(defineOperation({ id: "a.b", description: "", output, handler, ...facts }));
  return registry.execute("a.b");
}

describe("conformance of a result", () => {
  it("a result that matches its output schema is unchanged and has the conformance exact", async () => {
    const value = { id: 1, state: "closed" };
    const { data, meta } = await answer(value, issue);
    expect(data).toBe(value);
    expect(meta).toMatchObject({ conformance: "exact", operationId: "a.b" });
    expect(meta.changes).toBeUndefined();
  });

  it("a result without declared defaults gets the defaults, which are listed as changes, and has the conformance exact", async () => {
    const value = { id: 1 };
    const { data, meta } = await answer(value, issue);
    expect(data).toEqual({ id: 1, state: "open" });
    expect(meta.changes).toEqual([{ path: "/state", edit: "defaulted" }]);
    expect(meta.conformance).toBe("exact");
    expect(value).toEqual({ id: 1 });
  });

  it("a result keeps members that an open output schema does not declare", async () => {
    expect((await answer({ id: 1, state: "x", extra: 2 }, issue)).data).toHaveProperty("extra", 2);
  });

  it("the result of an operation with the option strip loses undeclared members, which are listed as changes", async () => {
    const { data, meta } = await answer({ id: 1, state: "x", extra: 2 }, issue, { strip: true });
    expect(data).toEqual({ id: 1, state: "x" });
    expect(meta.changes).toEqual([{ path: "/extra", edit: "stripped" }]);
    const same = await answer({ id: 1, state: "x" }, issue, { strip: true });
    expect(same.meta).not.toHaveProperty("changes");
  });

  it("a result that matches its output schema after cleaning has the conformance normalised", async () => {
    const { data, meta } = await answer({ id: 1, tags: "[1,2]", extra: 3 }, closed);
    expect(data).toEqual({ id: 1, tags: [1, 2] });
    expect(meta.conformance).toBe("normalised");
    expect(meta.changes).toEqual([
      { path: "/extra", edit: "stripped" },
      { path: "/tags", edit: "decoded" },
    ]);
  });

  it("a result without a required value has the conformance violated, and no value is invented", async () => {
    const value = { error: "not found" };
    const { data, meta } = await answer(value, closed, { strip: true });
    expect(data).toBe(value);
    expect(meta.conformance).toBe("violated");
    expect(meta.warnings).toEqual([expect.stringContaining("/id is required") as unknown]);
    expect(meta.changes).toBeUndefined();
  });

  it("an undefined result is checked against the output schema as null", async () => {
    expect((await answer(undefined, { type: "null" })).meta.conformance).toBe("exact");
    const { data, meta } = await answer(undefined, issue);
    expect(data).toBeNull();
    expect(meta.conformance).toBe("violated");
    expect((await answer(undefined, true)).data).toBeUndefined();
  });
});

/** An envelope to which its handler has already added warnings and changes. */
function commented(data: unknown): ResponseEnvelope {
  const { meta } = localEnvelope(data, "x.y");
  const changes = [{ path: "/old", edit: "stripped" }] as const;
  return { data, meta: { ...meta, warnings: ["mine"], changes } };
}

describe("envelopes that a handler returns", () => {
  it("an envelope that a handler returns keeps its meta and gets the conformance to the output schema", async () => {
    const own = httpEnvelope({ id: 1 }, { statusCode: 200, headers: {}, contentType: "a/b" });
    const before = structuredClone(own);
    const { data, meta } = await answer(own, issue);
    expect(data).toEqual({ id: 1, state: "open" });
    expect(meta).toMatchObject({ source: "http", statusCode: 200, conformance: "exact" });
    expect(own).toEqual(before);
  });

  it("an envelope that a handler returns is unchanged if the operation has no output schema", async () => {
    const own = localEnvelope(1, "x.y");
    expect(await answer(own, true)).toBe(own);
    expect(await answer(own, {})).toBe(own);
  });

  it("an envelope that a handler returns is never modified", async () => {
    const own = Object.freeze(localEnvelope(Object.freeze({ id: "x" }), "x.y"));
    Object.freeze(own.meta);
    expect((await answer(own, issue)).meta.conformance).toBe("violated");
    const broken: JsonSchema = { $ref: "#/$defs/gone" };
    const warned = await answer({ ...own, meta: { ...own.meta, warnings: ["mine"] } }, broken);
    expect(warned.meta.warnings).toEqual([
      "mine",
      expect.stringContaining("not checked") as unknown,
    ]);
  });

  it("an envelope that a handler returns keeps its own warnings and changes", async () => {
    const violated = await answer(commented({ id: "x" }), closed);
    expect(violated.meta.warnings).toEqual(["mine", expect.stringContaining("/id") as unknown]);
    const normalised = await answer(commented({ id: 1, extra: 2 }), closed);
    expect(normalised.meta).toMatchObject({ conformance: "normalised", warnings: ["mine"] });
    expect(normalised.meta.changes?.map(({ path }) => path)).toEqual(["/old", "/extra"]);
    expect((await answer(commented({ id: 1 }), closed)).meta.warnings).toEqual(["mine"]);
  });

  it("a failure that an MCP tool reports is not checked against the output schema", async () => {
    const content = [{ type: "text", text: "no such issue" }] as const;
    const own = mcpEnvelope([...content], { isError: true, content: [...content] });
    const envelope = await answer(own, issue);
    expect(envelope).toBe(own);
    expect(envelope.meta.conformance).toBeUndefined();
    const fine = mcpEnvelope({ id: 1 }, { isError: false, content: [] });
    expect((await answer(fine, issue)).meta.conformance).toBe("exact");
  });

  it.each([
    [{ data: 1, meta: { source: "local" } }],
    [{ data: 1, meta: { source: "smoke", operationId: "a.b", timestamp: 1 } }],
    [{ data: 1, meta: { source: "local", operationId: "a.b", timestamp: 1 }, more: 1 }],
    [{ data: 1, meta: null }],
  ])(
    "an object that a handler returns and that only looks like an envelope is treated as data: %j",
    async (value) => {
      expect((await answer(value, true)).data).toBe(value);
    },
  );
});
