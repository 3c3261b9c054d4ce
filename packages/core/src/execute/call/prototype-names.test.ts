import { describe, expect, it } from "vitest";
import { defineOperation } from "../../operation/index.ts";
import { OperationRegistry, createWaybill } from "../index.ts";

const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
const untouched = Object.getOwnPropertyNames(Object.prototype).toSorted();

/** An object that has the name as an own property, as JSON.parse creates it. */
function own(name: string, value: unknown): Record<string, unknown> {
  return JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`) as Record<
    string,
    unknown
  >;
}

const echo = defineOperation({
  id: "test.echo",
  description: "",
  effect: "read",
  handler: (input) => input,
});
const strict = defineOperation({
  id: "test.strict",
  description: "",
  effect: "read",
  input: { type: "object", properties: { text: { type: "string" } } },
  handler: (input) => input,
});

describe.each(NAMES)("inherited name %s", (name) => {
  const waybill = createWaybill({ operations: [echo, strict] });

  it("an inherited name such as toString is an unknown id", async () => {
    for (const id of [name, `${name}.${name}`, `test.${name}`]) {
      expect((await waybill.execute(id)).error?.code).toBe("NOT_FOUND");
      await expect(waybill.explain(id)).rejects.toMatchObject({ code: "OPERATION_NOT_FOUND" });
      await expect(waybill.subscribe(id).next()).rejects.toMatchObject({
        code: "OPERATION_NOT_FOUND",
      });
    }
    const registry = new OperationRegistry();
    expect([registry.getSpec(name), registry.getHandler(name)]).toEqual([undefined, undefined]);
    expect(await waybill.list_capabilities({ query: name, domain: name })).toEqual([]);
  });

  it("an operation can have an inherited name such as toString as its name", async () => {
    const id = `odd.${name}`;
    const odd = defineOperation({ id, description: "", handler: () => name });
    const one = createWaybill({ operations: [odd] });
    expect((await one.execute(id)).data).toBe(name);
    expect((await one.explain(id)).capability_id).toBe(id);
    expect(await one.list_capabilities({ query: name })).toHaveLength(1);
  });

  it("a call accepts a param with an inherited name only if the schema allows any name", async () => {
    const params = own(name, { polluted: true });
    const { data } = await waybill.execute("test.echo", params);
    expect(JSON.stringify(data)).toBe(JSON.stringify(params));
    const { error } = await waybill.execute("test.strict", params);
    expect(error).toMatchObject({
      code: "VALIDATION",
      details: { issues: [{ path: `/${name}` }] },
    });
  });

  it("a param can be declared with an inherited name such as toString and an alias", async () => {
    const declared = defineOperation({
      id: "test.declared",
      description: "",
      input: {
        type: "object",
        required: [name],
        properties: own(name, { type: "integer" }),
        additionalProperties: false,
      } as object as { type: "object" },
      aliases: own(name, ["other"]) as Record<string, string[]>,
      handler: (input) => input,
    });
    const one = createWaybill({ operations: [declared] });
    const given = await one.execute("test.declared", own(name, 7));
    expect(JSON.stringify(given.data)).toBe(JSON.stringify(own(name, 7)));
    const renamed = await one.execute("test.declared", { other: 8 });
    expect(JSON.stringify(renamed.data)).toBe(JSON.stringify(own(name, 8)));
    expect((await one.execute("test.declared", {})).error?.details?.["issues"]).toMatchObject([
      { path: `/${name}`, missing: true },
    ]);
  });

  it("select returns a field with an inherited name only if it is an own member", async () => {
    const select = [name, `a.${name}`, `${name}.${name}`];
    const { data, meta } = await waybill.execute("test.echo", { a: 1 }, { select });
    expect(JSON.stringify(data)).toBe('{"a":1}');
    expect(meta.warnings).toHaveLength(3);
    const there = await waybill.execute("test.echo", own(name, 1), { select: [name] });
    expect(JSON.stringify(there.data)).toBe(JSON.stringify(own(name, 1)));
  });

  it("a call refuses an inherited name such as toString as an option", async () => {
    const { error } = await waybill.execute("test.echo", {}, own(name, 1));
    expect(error).toMatchObject({
      code: "VALIDATION",
      details: { issues: [{ path: `/${name}` }] },
    });
  });

  it("a member with an inherited name such as toString is kept when data is cut to a budget", async () => {
    const long = { ...own(name, "x ".repeat(5_000)), b: 1 };
    const params = Object.assign(own(name, "x ".repeat(5_000)), { b: long.b });
    const { data, meta } = await waybill.execute("test.echo", params, { max_tokens: 400 });
    expect(meta.truncated).toBe(true);
    expect(Object.keys(data as object)).toEqual([name, "b"]);
  });
});

describe("Object.prototype after calls with inherited names", () => {
  it("Object.prototype is unchanged after calls with inherited names in every place", () => {
    expect(Object.getOwnPropertyNames(Object.prototype).toSorted()).toEqual(untouched);
    expect({}).not.toHaveProperty("polluted");
  });
});
