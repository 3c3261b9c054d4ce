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

describe("the fields of a schema", () => {
  it("the fields of a schema fit its members, those that are needed first", () => {
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

  it("the fields of a schema know the values and bounds that are allowed", () => {
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
    "the fields of a schema are none for %j",
    (schema) => {
      expect(readFields(schema)).toBeUndefined();
    },
  );

  it("the fields of a schema are found in a schema that refers to itself without end", () => {
    const circular = { type: "object", properties: { a: { $ref: "#/properties/a" } } };
    expect(readFields(circular)).toMatchObject([{ name: "a", kind: "json" }]);
  });
});

describe("a form", () => {
  it("a form becomes params", () => {
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

  it("says what is wrong beside each field", () => {
    const { problems } = readForm(fields, { count: "1.5", filter: "{" });
    expect([...problems.keys()]).toEqual(["owner", "count", "filter"]);
    expect(problems.get("count")).toBe("Enter a whole number");
  });

  it("a form is filled from params, and says what it has no field for", () => {
    const params = { owner: "octo", count: 2, labels: ["x", "y"], state: "open", other: 1 };
    const { values, lost } = valuesFrom(fields, params);
    expect(lost).toEqual(["other"]);
    const { other: _, ...rest } = params;
    expect(readForm(fields, values).params).toEqual(rest);
  });

  it("a form can be one text", () => {
    expect(readWhole(" ").params).toEqual({});
    expect(readWhole('{"a":[1]}').params).toEqual({ a: [1] });
    expect(readWhole("{a").problems.get("params")).toMatch(/^Enter valid JSON/u);
  });

  it("takes a member of any name", () => {
    const odd = readFields({ properties: JSON.parse('{"__proto__":{"type":"string"}}') as object });
    const { params } = readForm(
      odd ?? [],
      JSON.parse('{"__proto__":"x"}') as Record<string, string>,
    );
    expect(JSON.stringify(params)).toBe('{"__proto__":"x"}');
  });
});

const names = (schema: unknown): string[] => (formFields(schema) ?? []).map((one) => one.name);

describe("a repository in a form", () => {
  const text = { type: "string" };
  const properties = { owner: text, name: text, title: text };
  const asked = formFields({ type: "object", required: ["owner", "name"], properties }) ?? [];

  it("is one field, and is sent as owner and name", () => {
    expect(asked.map(({ name, kind }) => `${name}:${kind}`)).toEqual([
      "repo:repository",
      "title:text",
    ]);
    const { params, problems } = readForm(asked, { repo: " octo/hello ", title: "T" });
    expect(params).toEqual({ owner: "octo", name: "hello", title: "T" });
    expect(problems.size).toBe(0);
  });

  it.each(["octo", "octo/", "/hello", "octo/hello/x", "octo/he llo"])(
    "is refused as %j",
    (repo) => {
      expect(readForm(asked, { repo }).problems.get("repo")).toBe("Write it as owner/name");
    },
  );

  it("is filled from the owner and name of an earlier call", () => {
    const { values, lost } = valuesFrom(asked, { owner: "octo", name: "hello", title: "T" });
    expect(values).toEqual({ repo: "octo/hello", title: "T" });
    expect(lost).toEqual([]);
  });

  it("stays two fields where an owner is not required, or where there is an input called repo", () => {
    expect(names({ type: "object", required: ["name"], properties })).toContain("owner");
    const withRepo = { ...properties, repo: text };
    expect(names({ type: "object", required: ["owner", "name"], properties: withRepo })).toContain(
      "owner",
    );
  });
});
