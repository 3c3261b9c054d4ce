import { describe, expect, it } from "vitest";
import { readFields, formFields } from "./form-fields.ts";
import { readForm, readWhole, valuesFrom } from "./form-values.ts";

const SCHEMA = {
  type: "object",
  required: ["owner", "count"],
  properties: {
    state: { enum: ["open", "closed"], description: "Which", default: "open" },
    owner: { type: "string" },
    count: { type: "integer", minimum: 1, maximum: 100 },
    draft: { type: ["boolean", "null"] },
    labels: { type: "array", items: { type: "string" } },
    filter: { type: "object", properties: { a: { type: "string" } } },
    when: { anyOf: [{ $ref: "#/$defs/when" }, { type: "null" }] },
    odd: { anyOf: [{ type: "string" }, { type: "number" }] },
  },
  $defs: { when: { type: "string" } },
};

const fields = readFields(SCHEMA) ?? [];

describe("form fields of a schema", () => {
  it("the inspector's form of a capability has a field for each input, required inputs first", () => {
    expect(fields.map(({ name, kind }) => `${name}:${kind}`)).toEqual([
      "owner:text",
      "count:number",
      "state:choice",
      "draft:switch",
      "labels:lines",
      "filter:json",
      "when:text",
      "odd:json",
    ]);
  });

  it("the inspector's form of a capability keeps the allowed values and limits of an input", () => {
    expect(fields.find(({ name }) => name === "state")).toMatchObject({
      choices: ['"open"', '"closed"'],
      description: "Which",
      fallback: '"open"',
    });
    expect(fields.find(({ name }) => name === "count")).toMatchObject({
      integer: true,
      minimum: 1,
      maximum: 100,
    });
  });

  it.each([true, false, {}, { type: "array" }, { type: "object" }, { $ref: "#" }, null])(
    "the inspector's form of a capability has no fields for the input schema %j",
    (schema) => {
      expect(readFields(schema)).toBeUndefined();
    },
  );

  it("the inspector's form of a capability has a JSON field for a schema that refers to itself", () => {
    const circular = { type: "object", properties: { a: { $ref: "#/properties/a" } } };
    expect(readFields(circular)).toMatchObject([{ name: "a", kind: "json" }]);
  });
});

describe("form values", () => {
  it("the inspector's form of a capability turns its values into params", () => {
    const values = {
      owner: "octo",
      count: "3",
      state: '"closed"',
      draft: "false",
      labels: "a b\n\nc",
      filter: '{"a":1}',
    };
    const { params, problems } = readForm(fields, values);
    expect(problems.size).toBe(0);
    expect(params).toEqual({
      owner: "octo",
      count: 3,
      state: "closed",
      draft: false,
      labels: ["a b", "c"],
      filter: { a: 1 },
    });
  });

  it("the inspector's form of a capability reads plain text in a field that takes a string or a number", () => {
    const either = readFields({ properties: { milestone: { type: ["string", "integer"] } } }) ?? [];
    const read = (milestone: string) => readForm(either, { milestone }).params["milestone"];
    expect([read("v1.2"), read("3"), read('"3"')]).toEqual(["v1.2", 3, "3"]);
  });

  it.each<[string, object]>([
    ["string | integer", { type: ["string", "integer"] }],
    ["string | null", { anyOf: [{ type: "string" }, { type: "null" }] }],
    ['"OPEN" | "CLOSED"', { enum: ["OPEN", "CLOSED"] }],
    ["(string | integer)[]", { type: "array", items: { type: ["string", "integer"] } }],
    ["string[]", { $ref: "#/$defs/names" }],
    ["any", { $ref: "#/$defs/missing" }],
    ["object", { type: "object" }],
  ])("the inspector's page of a capability names the type of a member: %s", (type, member) => {
    const $defs = { names: { type: "array", items: { type: "string" } } };
    expect(readFields({ $defs, properties: { member } })?.[0]?.type).toBe(type);
  });

  it("the inspector's form of a capability reports the problem of each field", () => {
    const { problems } = readForm(fields, { count: "1.5", filter: "{" });
    expect([...problems.keys()]).toEqual(["owner", "count", "filter"]);
    expect(problems.get("count")).toBe("Enter a whole number");
  });

  it("the inspector's form of a capability is filled from params, and params without a field are named", () => {
    const params = { owner: "octo", count: 2, labels: ["x", "y"], state: "open", other: 1 };
    const { values, lost } = valuesFrom(fields, params);
    expect(lost).toEqual(["other"]);
    const { other: _, ...rest } = params;
    expect(readForm(fields, values).params).toEqual(rest);
  });

  it("the inspector's form of a capability reads all params from one JSON text", () => {
    expect(readWhole(" ").params).toEqual({});
    expect(readWhole('{"a":[1]}').params).toEqual({ a: [1] });
    expect(readWhole("{a").problems.get("params")).toMatch(/^Enter valid JSON/u);
  });

  it("the inspector's form of a capability accepts a field named __proto__", () => {
    const odd = readFields({ properties: JSON.parse('{"__proto__":{"type":"string"}}') as object });
    const { params } = readForm(
      odd ?? [],
      JSON.parse('{"__proto__":"x"}') as Record<string, string>,
    );
    expect(JSON.stringify(params)).toBe('{"__proto__":"x"}');
  });
});

const names = (schema: unknown): string[] => (formFields(schema) ?? []).map((one) => one.name);

describe("repository field", () => {
  const text = { type: "string" };
  const properties = { owner: text, name: text, title: text };
  const asked = formFields({ type: "object", required: ["owner", "name"], properties }) ?? [];

  it("the inspector's form of a capability shows owner and name as one repository field and sends both inputs", () => {
    expect(asked.map(({ name, kind }) => `${name}:${kind}`)).toEqual([
      "repo:repository",
      "title:text",
    ]);
    const { params, problems } = readForm(asked, { repo: " octo/hello ", title: "T" });
    expect(params).toEqual({ owner: "octo", name: "hello", title: "T" });
    expect(problems.size).toBe(0);
  });

  it.each(["octo", "octo/", "/hello", "octo/hello/x", "octo/he llo"])(
    "the inspector's form of a capability rejects %j as a repository",
    (repo) => {
      expect(readForm(asked, { repo }).problems.get("repo")).toBe("Write it as owner/name");
    },
  );

  it("the inspector's form of a capability fills the repository field from the owner and name of an earlier call", () => {
    const { values, lost } = valuesFrom(asked, { owner: "octo", name: "hello", title: "T" });
    expect(values).toEqual({ repo: "octo/hello", title: "T" });
    expect(lost).toEqual([]);
  });

  it("the inspector's form of a capability shows two fields when owner is optional or when there is an input called repo", () => {
    expect(names({ type: "object", required: ["name"], properties })).toContain("owner");
    const withRepo = { ...properties, repo: text };
    expect(names({ type: "object", required: ["owner", "name"], properties: withRepo })).toContain(
      "owner",
    );
  });
});
