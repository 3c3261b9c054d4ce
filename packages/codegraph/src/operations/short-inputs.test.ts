import { isRecord } from "@waybill/core/schema";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { GRAPH_TOOLS, ISSUE_KINDS } from "../query/index.ts";
import { INPUTS } from "./inputs.ts";
import { toldInput } from "./short-inputs.ts";
import { listGraphTools } from "./tools.ts";

interface Members {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

function schemaMembers(schema: object): Members {
  return schema as Members;
}

it("short input schemas describe the graph tools in half the tokens of their full schemas", () => {
  const tools = listGraphTools();
  const checked = tools.map((tool, at) => ({ ...tool, inputSchema: INPUTS[GRAPH_TOOLS[at]!] }));
  const tokens = countTokens(JSON.stringify(tools));
  expect(tokens).toBeLessThanOrEqual(2_800);
  expect(tokens * 2).toBeLessThan(countTokens(JSON.stringify(checked)));
});

describe.each(GRAPH_TOOLS)("short input schema of %s", (tool) => {
  const { properties: told, required = [] } = schemaMembers(toldInput(tool));
  const { properties: checked, required: needed } = schemaMembers(INPUTS[tool]);

  it("a short input schema names all inputs of the full schema and the same required inputs", () => {
    expect([Object.keys(told), required]).toEqual([Object.keys(checked), needed]);
  });

  it("the short input schema of a code graph tool gives each input a type or its values, and no large limits", () => {
    for (const [name, schema] of Object.entries(told)) {
      const { type, enum: values, maximum = 0, ...others } = isRecord(schema) ? schema : {};
      expect([name, type ?? values]).not.toEqual([name, undefined]);
      expect(Number(maximum)).toBeLessThanOrEqual(10);
      expect(others).not.toHaveProperty("maxLength");
    }
  });
});

it("a short input schema lists the values of an input without naming another tool", () => {
  expect(toldInput("annotations").properties).toMatchObject({ kind: { enum: ISSUE_KINDS } });
  expect(GRAPH_TOOLS.map((tool) => JSON.stringify(toldInput(tool))).join()).not.toContain("graph_");
});

it("the short input schema of layers names every kind of rule and its parts", () => {
  const { rules } = schemaMembers(toldInput("layers")).properties;
  for (const name of ["forbidden", "allowed", "required", "module", "via", "reachable"]) {
    expect(rules).toMatchObject({ description: expect.stringContaining(name) as unknown });
  }
});

it("a short input schema keeps an input whose name is a JSON Schema keyword", () => {
  expect(toldInput("cycles").properties).toHaveProperty("minLength");
});
