import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fail, httpEnvelope } from "../../envelope/index.ts";
import type { JsonSchema, ResultEnvelope } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import type { AnySchema } from "../../operation/index.ts";
import { oneRouteOperation } from "../../router/index.ts";
import { createWaybill } from "../index.ts";

const text = { type: "string" };
const file = { type: "object", properties: { path: text, mode: text }, required: ["path"] };
const commit: JsonSchema = {
  type: "object",
  properties: {
    author: { type: "object", properties: { name: text, email: text } },
    files: { type: "array", items: file },
    labels: { type: "object" },
    byPath: { type: "object", additionalProperties: file },
    target: { anyOf: [{ properties: { branch: text } }, { properties: { tag: text } }, text] },
    open: { type: "object", properties: { a: text }, additionalProperties: true },
    tree: { $ref: "#/$defs/tree" },
    patch: { anyOf: [{ $ref: "#/$defs/anything" }, { properties: { base64: text } }] },
  },
  $defs: {
    anything: { type: "object", description: "A patch" },
    tree: { type: "object", properties: { left: { $ref: "#/$defs/tree" }, name: text } },
  },
};

function asked(params: unknown, input: AnySchema = commit): Promise<ResultEnvelope> {
  const operation = defineOperation({
    id: "commit.create",
    description: "",
    input,
    handler: (given) => given as object,
  });
  return createWaybill({ operations: [operation] }).execute("commit.create", params);
}

async function issues(params: unknown, input?: AnySchema): Promise<unknown> {
  const { error } = await asked(params, input);
  expect(error).toMatchObject({ code: "VALIDATION", details: { outcome: "not_applied" } });
  return error?.details?.["issues"];
}

describe("undeclared names inside an input", () => {
  it.each([
    ["additionalItems", { items: [text], additionalItems: file }],
    ["unevaluatedItems", { prefixItems: [text], unevaluatedItems: file }],
  ])(
    "a call refuses an unknown name in a list item that the schema describes by %s",
    async (_keyword, list) => {
      const input = { type: "object", properties: { list: { type: "array", ...list } } } as const;
      expect((await asked({ list: ["a", { path: "b", mode: "c" }] }, input)).ok).toBe(true);
      const { error } = await asked({ list: ["a", { path: "b", mod: "c" }] }, input);
      expect(error?.details?.["issues"]).toMatchObject([
        { path: "/list/1/mod", did_you_mean: "mode" },
      ]);
    },
  );

  it.each(["dependencies", "dependentSchemas"])(
    "a call accepts an input name that the schema declares in %s",
    async (word) => {
      const input = {
        type: "object",
        properties: { a: {} },
        [word]: { a: { properties: { bee: text } } },
      };
      expect((await asked({ a: 1, bee: "x" }, input)).ok).toBe(true);
      expect((await asked({ a: 1, be: "x" }, input)).error?.code).toBe("VALIDATION");
    },
  );

  it.each([
    [{ author: { nam: "Ada" } }, "/author/nam", "name"],
    [{ files: [{ path: "a" }, { path: "b", mod: "x" }] }, "/files/1/mod", "mode"],
    [{ byPath: { a: { path: "a", moed: "x" } } }, "/byPath/a/moed", "mode"],
    [{ target: { brnch: "main" } }, "/target/brnch", "branch"],
    [{ tree: { left: { left: { nme: "x" } } } }, "/tree/left/left/nme", "name"],
    [{ author: '{"nam": "Ada"}' }, "/author/nam", "name"],
  ])(
    "a call refuses an undeclared nested name and suggests the nearest declared name: %j",
    async (params, path, did_you_mean) => {
      expect(await issues(params)).toMatchObject([
        { path, message: "is not an input", did_you_mean },
      ]);
    },
  );

  it.each([
    { author: { name: "Ada", email: "a@b.c" } },
    { labels: { any: 1, thing: { at: "all" } } },
    { byPath: { "any/path": { path: "a" } } },
    { open: { a: "x", b: "y" } },
    { target: { branch: "main", tag: "v1" } },
    { target: "main" },
    { patch: { any: { thing: 1 } } },
  ])(
    "a call accepts nested names that are declared or that the schema leaves free: %j",
    async (params) => {
      expect(await asked(params)).toMatchObject({ ok: true, data: params });
    },
  );

  it("a call reports an undeclared nested name together with other issues of the input", async () => {
    expect(await issues({ files: [{ pth: "a" }] })).toMatchObject([
      { path: "/files/0/pth", did_you_mean: "path" },
      { path: "/files/0/path", missing: true },
    ]);
  });

  it("a call refuses an undeclared nested name that the schema library would drop", async () => {
    const schema = z.object({ author: z.object({ name: z.string().optional() }) });
    expect(await issues({ author: { nam: "Ada" } }, schema)).toMatchObject([
      { path: "/author/nam", did_you_mean: "name" },
    ]);
    const loose = z.object({ author: z.looseObject({ name: z.string().optional() }) });
    expect((await asked({ author: { nam: "Ada" } }, loose)).ok).toBe(true);
  });

  it("a chain refuses an undeclared nested name of one step before any step is sent", async () => {
    const sent: unknown[] = [];
    const operation = defineOperation({
      id: "commit.create",
      description: "",
      input: commit,
      handler: (given) => sent.push(given),
    });
    const { results, status } = await createWaybill({ operations: [operation] }).chain([
      { id: "one", task: "commit.create", input: { author: { name: "Ada" } } },
      {
        id: "two",
        task: "commit.create",
        input: { author: { nam: "Ada", email: { $from: "one.data" } } },
      },
    ]);
    expect([status, sent]).toEqual(["failed", []]);
    expect(results[1]?.error).toMatchObject({
      code: "VALIDATION",
      details: { issues: [{ path: "/author/nam" }] },
    });
  });

  it("a call with an input that contains itself is checked for undeclared names without an endless loop", async () => {
    const self: { left?: object; name: string } = { name: "x" };
    self.left = self;
    expect((await asked({ tree: self, author: { nam: "x" } })).error?.code).toBe("VALIDATION");
  });
});

describe("undeclared names for an input schema from an external description", () => {
  const sent: unknown[] = [];
  function described(inputSchema: JsonSchema) {
    const spec = {
      id: "shop.order",
      description: "",
      effect: "write",
      idempotent: false,
      kind: "call",
      outputSchema: true,
      looseInput: true,
    } as const;
    return oneRouteOperation({
      spec: { ...spec, inputSchema },
      route: "rest",
      host: "shop.example",
      describe: ({ params }) => ({ params }),
      async send({ params }, attempt) {
        await attempt.beforeSend();
        sent.push(params);
        if (Object.hasOwn(params, "files")) throw fail("VALIDATION", "unknown field");
        const meta = { statusCode: 200, headers: {}, contentType: "application/json" };
        return { response: httpEnvelope({}, meta), upstreamRequests: 1 };
      },
    });
  }

  it("a call sends an undeclared nested name, with a warning, if the schema comes from an external description", async () => {
    const waybill = createWaybill({ operations: [described(commit)] });
    const params = { author: { nam: "Ada" } };
    const warning =
      "/author/nam was sent, but shop.order declares no such input; did you mean name?";
    expect(await waybill.execute("shop.order", params)).toMatchObject({
      ok: true,
      meta: { warnings: [warning] },
    });
    expect(sent.at(-1)).toEqual(params);
    expect((await waybill.execute("shop.order", params, { dry_run: true })).meta.warnings).toEqual([
      warning,
    ]);
    const failed = await waybill.execute("shop.order", { files: [{ path: "a", mod: "x" }] });
    expect(failed).toMatchObject({ ok: false, meta: { warnings: [expect.anything()] } });
  });

  it("a call refuses an undeclared top-level name of an external schema, unless that schema declares no names", async () => {
    const listed = createWaybill({ operations: [described(commit)] });
    expect((await listed.execute("shop.order", { athor: {} })).error?.code).toBe("VALIDATION");
    const bare = createWaybill({ operations: [described({ type: "object" })] });
    expect((await bare.execute("shop.order", { any: 1 })).ok).toBe(true);
  });
});
