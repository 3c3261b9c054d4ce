import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { ResultEnvelope, Waybill } from "@waybill/core";
import { githubSource } from "@waybill/github";
import { packSpecs } from "@waybill/github/cards";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";
import { readIndex } from "./fixtures/read-index.ts";
import type { ReadSignature } from "./fixtures/read-index.ts";
import { CAPABILITY_USE } from "./capability-use.ts";
import { skillText } from "./index.ts";

const SPECIAL: Readonly<Record<string, unknown>> = {
  expectedHead: "a".repeat(40),
  target: "octo/other",
  repository: "octo/hello",
  color: "ff0000",
  issueUrl: "https://github.com/octo/hello/issues/1",
  valueDate: "2026-01-31",
  startDate: "2026-01-31",
  targetDate: "2026-01-31",
  clear: true,
};

/** Any value that the schema of an input accepts. */
function valueFor(name: string, schema: unknown): unknown {
  const known = isRecord(schema) ? schema : {};
  const { type, enum: values, items, required, properties } = known;
  if (name in SPECIAL) return SPECIAL[name];
  if (Object.hasOwn(known, "const")) return known["const"];
  if (Array.isArray(values)) return values[0];
  if (type === "array") return [valueFor("", items)];
  if (type === "object" && !Array.isArray(required)) return { "a.txt": "text" };
  if (type === "object" && isRecord(properties)) {
    const names = required as string[];
    return Object.fromEntries(names.map((each) => [each, valueFor(each, properties[each])]));
  }
  if (type === "boolean") return false;
  return type === "integer" || type === "number" ? 12 : "text";
}

/** A Waybill with GitHub's capabilities at an unreachable address. A dry run sends nothing. */
function unreachable(): Waybill {
  const transport = createHttpTransport();
  const url = "http://127.0.0.1:9";
  const place = { host: "github.com", restUrl: url, graphqlUrl: url, token: "t" };
  const around = { env: {}, cwd: "/", transport, userAgent: "test", repository: undefined };
  const waybill = createWaybill({ sources: [githubSource(place, around)] });
  onTestFinished(async () => {
    transport.close();
    await waybill.close();
  });
  return waybill;
}

const listed = packSpecs().filter(({ exposed }) => exposed !== false);
const specs = new Map(listed.map((spec) => [spec.id, spec]));

/** The call that an agent makes if it knows only the text of the skill. */
function callFor(waybill: Waybill, signature: ReadSignature, names: readonly string[]) {
  const schema = specs.get(signature.id)?.inputSchema;
  const properties = isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {};
  const params = {
    ...(signature.hasRepository && { repo: "octo/hello" }),
    ...(signature.hasNumber && { number: 12 }),
    ...Object.fromEntries(names.map((name) => [name, valueFor(name, properties[name])])),
  };
  return waybill.execute(signature.id, params, { dry_run: true });
}

/**
 * The inputs of a signature that the capability does not have. An open schema accepts unknown
 * inputs, so the call alone does not reveal them.
 */
function unknownInputs({ id, required, optional, choice }: ReadSignature): string[] {
  const schema = specs.get(id)?.inputSchema;
  const properties = isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {};
  return [...required, ...optional, ...choice].filter((name) => !Object.hasOwn(properties, name));
}

function refusal({ ok, error }: ResultEnvelope): string[] {
  return ok || error.code !== "VALIDATION" ? [] : [error.message];
}

const WORDS = ["gh help", "retry", "issue", "ask the user", "approve"];
const CHAIN_WORDS = ["explain", '"id":"a"', '{"$from":"a.data.x"}', "none"];

describe("skillText", () => {
  it.each([
    ["lean", "command", 300],
    ["lean", "mcp", 250],
    ["indexed", "command", 525],
    ["indexed", "mcp", 510],
    ["lean", "code", 300],
    ["indexed", "code", 440],
  ] as const)("the %s skill for the %s interface has at most %d tokens", (form, door, most) => {
    const text = skillText({ form, door });
    expect(countTokens(text)).toBeLessThanOrEqual(most);
    for (const word of WORDS) expect(text).toContain(word);
    for (const word of door === "code" ? [] : CHAIN_WORDS) expect(text).toContain(word);
  });

  it("the skill for one interface mentions no other interface", () => {
    expect(skillText({ form: "lean", door: "mcp" })).not.toContain("waybill run");
    expect(skillText({ form: "lean", door: "command" })).not.toContain("execute");
    expect(skillText({ form: "indexed", door: "code" })).not.toMatch(/execute|waybill run|`repo`/u);
  });

  it("the indexed skill lists every capability of CAPABILITY_USE once", () => {
    const ids = readIndex(skillText({ form: "indexed", door: "command" })).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(Object.keys(CAPABILITY_USE).toSorted());
  });

  it("every signature in the skill is accepted, with and without optional inputs", async () => {
    const waybill = unreachable();
    const index = readIndex(skillText({ form: "indexed", door: "command" }));
    const refusals = await Promise.all(
      index.map(async (signature) => {
        const { id, required, optional, choice } = signature;
        const chosen = choice.length === 0 ? [[]] : choice.map((name) => [name]);
        const calls = chosen.flatMap((one) => [
          callFor(waybill, signature, [...required, ...one]),
          callFor(waybill, signature, [...required, ...one, ...optional]),
        ]);
        const refused = (await Promise.all(calls)).flatMap(refusal);
        return [...unknownInputs(signature), ...refused].map((why) => `${id}: ${why}`);
      }),
    );
    expect(refusals.flat()).toEqual([]);
  });

  it("a call without a required input is refused, so the check of signatures can fail", async () => {
    const waybill = unreachable();
    const [signature] = readIndex(skillText({ form: "indexed", door: "command" })).filter(
      ({ id }) => id === "issue.create",
    );
    expect(refusal(await callFor(waybill, signature!, []))).toHaveLength(1);
  });
});

describe("waybill skill", () => {
  it.each([
    [[], "lean", "command"],
    [["--indexed", "--door", "mcp"], "indexed", "mcp"],
  ] as const)("waybill skill %j prints the skill", async (flags, form, door) => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run(["skill", ...flags]);
    expect([code, stdout]).toEqual([0, `${skillText({ form, door })}\n`]);
  });
});
