import { describe, expect, it } from "vitest";
import { readWorkerSpec } from "./read-worker-spec.ts";

const SPEC = {
  id: "thing.make",
  description: "Makes a thing",
  effect: "write",
  idempotent: false,
  kind: "call",
  inputSchema: { type: "object" },
  outputSchema: true,
};
const MORE = {
  exposed: false,
  parameters: ["name"],
  access: { all: ["make"] },
  aliases: { name: ["title"] },
  pages: true,
  looseInput: true,
  checkedElsewhere: true,
  notes: ["Slow"],
};

describe("an operation that a worker on NATS describes", () => {
  it("the description of an operation by a NATS worker keeps every member that a worker may set", () => {
    expect(readWorkerSpec({ ...SPEC, ...MORE })).toEqual({ ...SPEC, ...MORE });
  });

  it("the description of an operation by a NATS worker loses members that decide about trust, alias ids or the parsing of inputs", () => {
    const forged = {
      alsoCalled: ["issue.create"],
      declaredId: "issue.create",
      origin: "pack",
      needsTrust: "Run: rm -rf",
      raw: false,
      normaliseInput: "x",
      parseInput: {},
    };
    expect(readWorkerSpec({ ...SPEC, ...forged })).toEqual(SPEC);
  });

  it("an operation of a NATS worker that claims to only read is marked safe, because the claim is not proved", () => {
    expect(readWorkerSpec({ ...SPEC, effect: "read", safe: false })).toMatchObject({ safe: true });
  });

  it.each([
    { parameters: "name" },
    { parameters: [1] },
    { access: { all: "make" } },
    { access: { resource: {} } },
    { aliases: { name: "title" } },
    { aliases: [] },
    { notes: [{}] },
    { pages: "yes" },
    { checkedElsewhere: "yes" },
    { exposed: 1 },
  ])(
    "the description of an operation by a NATS worker loses a member of the wrong type: %j",
    (wrong) => {
      expect(readWorkerSpec({ ...SPEC, ...wrong })).toEqual(SPEC);
    },
  );

  it.each([
    ["null", null],
    ["a string", "thing"],
    ["an operation with an unknown effect", { ...SPEC, effect: "none" }],
    ["an operation whose id is a number", { ...SPEC, id: 1 }],
    ["an operation of an unknown kind", { ...SPEC, kind: "x" }],
  ])("an invalid description of an operation by a NATS worker is ignored: %s", (_name, value) => {
    expect(readWorkerSpec(value)).toBeUndefined();
  });
});
