import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonSchema, ResultEnvelope } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import { createWaybill } from "../index.ts";

const input: JsonSchema = {
  type: "object",
  required: ["number"],
  properties: {
    number: { type: "integer" },
    state: { enum: ["open", "closed"] },
    labels: { type: "array", items: { type: "string" } },
    per_page: { type: "integer", default: 30 },
  },
};
const aliases = { number: ["nr", "issue_number"], per_page: ["limit"] };

function asked(params: unknown, facts: object = {}): Promise<ResultEnvelope> {
  const operation = defineOperation({
    id: "issue.list",
    description: "",
    effect: "read",
    input,
    aliases,
    handler: (given) => given,
    ...facts,
  });
  return createWaybill({ operations: [operation] }).execute("issue.list", params);
}

describe("params of a call", () => {
  it("a call fills omitted params with the defaults of the schema", async () => {
    expect((await asked({ number: 1 })).data).toEqual({ number: 1, per_page: 30 });
  });

  it("a call accepts a param under an alias", async () => {
    expect((await asked({ nr: 1, limit: 5 })).data).toEqual({ number: 1, per_page: 5 });
    expect((await asked({ issue_number: 2 })).data).toMatchObject({ number: 2 });
  });

  it.each([
    [{ number: 1, nr: 2 }, "/nr"],
    [{ nr: 1, number: 2 }, "/nr"],
    [{ nr: 1, issue_number: 2 }, "/issue_number"],
  ])("a call refuses params that give one input under two names: %j", async (params, path) => {
    const { error } = await asked(params);
    expect(error).toMatchObject({ code: "VALIDATION", details: { issues: [{ path }] } });
  });

  it("a call refuses 5,000 unknown params, and its error names 32 of them", async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`x${n}`, n]));
    const { error } = await asked(many);
    const issues = error?.details?.["issues"] as { path: string; message: string }[];
    expect(issues).toContainEqual({ path: "", message: "has 4968 more unknown names" });
    expect(issues.length).toBeLessThan(40);
  });

  it("a call refuses each unknown param with the nearest name, or with all allowed names", async () => {
    const { error } = await asked({ number: 1, labls: [], perPage: 3, "a/b~c": 1 });
    expect(error?.details?.["issues"]).toEqual([
      { path: "/labls", message: "is not an input", did_you_mean: "labels" },
      { path: "/perPage", message: "is not an input", did_you_mean: "per_page" },
      {
        path: "/a~1b~0c",
        message: "is not an input",
        allowed: ["number", "state", "labels", "per_page"],
      },
    ]);
  });

  it("a call accepts params of any name if the schema allows undeclared names", async () => {
    const open = { ...input, additionalProperties: true };
    expect((await asked({ number: 1, more: 2 }, { input: open })).data).toMatchObject({ more: 2 });
    expect((await asked({ more: 2 }, { input: true })).data).toEqual({ more: 2 });
    expect((await asked({ more: 2 }, { input: undefined })).data).toEqual({ more: 2 });
  });

  it("a call refuses params if the input schema declares no names", async () => {
    const facts = { input: { type: "object" }, aliases: {} };
    expect((await asked({}, facts)).ok).toBe(true);
    expect((await asked({ more: 2 }, facts)).error).toMatchObject({
      code: "VALIDATION",
      details: { issues: [{ path: "/more", message: "is not an input" }] },
    });
  });

  it("a call refuses an undeclared param if the branches of the schema only require or declare names", async () => {
    const branched = {
      ...input,
      anyOf: [{ required: ["state"] }, { properties: { assignee: { type: "string" } } }],
      allOf: [{ $ref: "#/$defs/more" }],
      $defs: { more: { if: { properties: { since: {} } }, else: { required: ["state"] } } },
    };
    const facts = { input: branched, aliases: {} };
    const given = { number: 1, state: "open", assignee: "ada", since: "2026" };
    expect((await asked(given, facts)).ok).toBe(true);
    expect((await asked({ ...given, zebra: 1 }, facts)).error).toMatchObject({
      code: "VALIDATION",
      details: { issues: [{ path: "/zebra", message: "is not an input" }] },
    });
  });

  it("a call accepts any param name if one branch of the schema allows undeclared names", async () => {
    const branched = {
      ...input,
      anyOf: [{ patternProperties: { "^x-": {} } }, { type: "object" }],
    };
    expect((await asked({ number: 1, "x-a": 2 }, { input: branched })).ok).toBe(true);
  });

  it("a call accepts any param name if a dynamic reference of the schema may declare it", async () => {
    const node = { $dynamicAnchor: "node", type: "object" };
    const referring = { ...input, $dynamicRef: "#node", $defs: { node } };
    expect((await asked({ number: 1, zebra: 2 }, { input: referring })).ok).toBe(true);
  });

  it("the error for an unknown param suggests another capability that has an input of that name", async () => {
    const ids = ["issue.update", "issue.close", "issue.reopen", "issue.labels.set", "issue.view"];
    const operations = ids.map((id) =>
      defineOperation({
        id,
        description: "",
        effect: id === "issue.view" ? "read" : "write",
        input: { type: "object", properties: { title: { type: "string" } } },
        handler: () => null,
      }),
    );
    const waybill = createWaybill({ operations });
    const refused = async (params: object): Promise<string | undefined> =>
      (await waybill.execute("issue.update", params)).error?.message;
    expect(await refused({ state: "closed" })).toContain("/state is not an input; use issue.close");
    expect(await refused({ state: "open" })).toContain("use issue.reopen");
    expect(await refused({ closed: true })).toContain("use issue.close");
    expect(await refused({ closed: false })).not.toContain("use ");
    expect(await refused({ labels: ["bug"] })).toContain("use issue.labels.set");
    expect(await refused({ zebra: 1 })).not.toContain("use ");
  });

  it("a call ignores inherited members of its params", async () => {
    const params = Object.assign(Object.create({ inherited: 1 }) as object, { number: 1 });
    expect((await asked(params)).ok).toBe(true);
  });

  it("a call converts params that are given as text to the type of the schema", async () => {
    const { data } = await asked({ number: "7", labels: '["bug"]', per_page: "10" });
    expect(data).toEqual({ number: 7, labels: ["bug"], per_page: 10 });
    expect((await asked('{"number": 3}')).data).toMatchObject({ number: 3 });
    const { error } = await asked({ number: "seven" });
    expect(error?.details?.["issues"]).toMatchObject([{ path: "/number" }]);
  });

  describe("JSON text for an input that also has other forms", () => {
    const animals = ["cat", "dog"].map((kind) => ({
      type: "object",
      required: ["kind", "id"],
      properties: { kind: { const: kind }, id: { type: ["integer", "string"] } },
    }));
    const body = { oneOf: animals, discriminator: { propertyName: "kind" } };
    const form = {
      type: "object",
      properties: { type: { enum: ["json", "text"] }, body: { type: ["object", "string"] } },
      not: { properties: { type: { const: "json" }, body: { type: "string" } } },
    };

    const call = (params: object) => asked(params, { input: form, aliases: {} });

    it("the issues of a param object that is given as JSON text point into the object", async () => {
      const facts = { input: { type: "object", properties: { body } } };
      const { error } = await asked({ body: '{"kind":"cow"}' }, facts);
      expect(error?.details?.["issues"]).toMatchObject([
        { path: "/body/kind", allowed: ["cat", "dog"] },
      ]);
      const large = '{"kind":"dog","id":12345678901234567890}';
      const { data } = await asked({ body: large }, facts);
      expect(data).toEqual({ body: { kind: "dog", id: "12345678901234567890" } });
    });

    it("a param given as JSON text is parsed even if another branch of the schema refuses strings", async () => {
      const text = '{"id":12345678901234567890}';
      const id = "12345678901234567890";
      expect((await call({ type: "json", body: text })).data).toEqual({
        type: "json",
        body: { id },
      });
      expect((await call({ type: "text", body: text })).data).toEqual({ type: "text", body: text });
      const { error } = await call({ type: "json", body: "{broken" });
      expect(error?.details?.["issues"]).toMatchObject([{ path: "" }]);
    });
  });

  it("a call accepts all params as one JSON text, and checks them and resolves aliases", async () => {
    expect((await asked('{"nr": 3}')).data).toMatchObject({ number: 3 });
    const { error } = await asked('{"number": 3, "lables": ["bug"]}');
    expect(error?.code).toBe("VALIDATION");
    expect(error?.details?.["issues"]).toEqual([
      { path: "/lables", message: "is not an input", did_you_mean: "labels" },
    ]);
  });

  it("a chain checks the params of a step that are given as JSON text before it sends anything", async () => {
    const sent: unknown[] = [];
    const add = defineOperation({
      id: "note.add",
      description: "",
      effect: "write",
      input: { type: "object", properties: { title: { type: "string" } } },
      handler: (note) => void sent.push(note),
    });
    const text = defineOperation({
      id: "text.echo",
      description: "",
      effect: "read",
      input: { type: "string" },
      handler: (given) => given,
    });
    const waybill = createWaybill({ operations: [add, text] });
    const wrong = { task: "note.add", input: '{"titel": "x"}' as unknown as object };
    const { results } = await waybill.chain([{ task: "note.add", input: { title: "y" } }, wrong]);
    expect(results[1]?.error).toMatchObject({ code: "VALIDATION" });
    expect(sent).toEqual([]);
    expect((await waybill.execute("text.echo", '{"titel": 1}')).data).toBe('{"titel": 1}');
  });

  it("a list param can be given as one value or as comma-separated text, and an issue names the wrong item", async () => {
    expect((await asked({ number: 1, labels: "bug" })).data).toMatchObject({ labels: ["bug"] });
    const { error } = await asked({ number: "1", labels: "bug,p1" });
    expect(error?.details?.["issues"]).toMatchObject([{ path: "/labels" }]);
    const states = { type: "array", items: { enum: ["open", "closed"] } };
    const open = { input: { type: "object", properties: { states } }, aliases: {} };
    expect((await asked({ states: "open,closed" }, open)).data).toEqual({
      states: ["open", "closed"],
    });
    expect((await asked({ states: "open,closd" }, open)).error?.details?.["issues"]).toMatchObject([
      { path: "/states/1", did_you_mean: "closed" },
    ]);
  });

  it("the issue of a wrong enum value lists the allowed values and the nearest value", async () => {
    const { error } = await asked({ number: 1, state: "close" });
    expect(error?.details?.["issues"]).toMatchObject([
      { path: "/state", allowed: ["open", "closed"], did_you_mean: "closed" },
    ]);
  });

  it.each([[null], [7], [[]], ["text"], [true]])(
    "a call refuses %j as its params",
    async (params) => {
      expect((await asked(params)).error).toMatchObject({
        code: "VALIDATION",
        details: { issues: [{ path: "" }] },
      });
    },
  );

  it("a call needs no params if no input is required", async () => {
    expect((await asked(undefined)).error?.details?.["issues"]).toEqual([
      { path: "/number", message: "is required", missing: true },
    ]);
    expect((await asked(undefined, { input: { type: "object" } })).data).toEqual({});
  });

  it("a call parses its params by their schema library, under their declared names", async () => {
    const parsed = z.object({ number: z.string().transform(Number) });
    const facts = { input: parsed, aliases: { number: ["nr"] } };
    expect((await asked({ nr: "7" }, facts)).data).toEqual({ number: 7 });
    expect((await asked({ nr: 7 }, facts)).error).toMatchObject({
      code: "VALIDATION",
      details: { issues: [{ path: "/number" }] },
    });
  });

  it("the error for an unknown param suggests a name even if the schema is behind a reference", async () => {
    const behind = { $ref: "#/$defs/in", $defs: { in: input } };
    const { error } = await asked({ number: 1, labls: [] }, { input: behind, aliases: {} });
    expect(error?.details?.["issues"]).toMatchObject([{ did_you_mean: "labels" }]);
  });
});
