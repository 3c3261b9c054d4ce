import { describe, expect, it } from "vitest";
import type { Operation } from "../../operation/index.ts";
import { localSource } from "../../source/index.ts";
import { createWaybill } from "../index.ts";

const number = { type: "integer" } as const;
const text = { type: "string" } as const;

function operation(spec: Partial<Operation["spec"]>): Operation {
  const described = { description: "Answers", effect: "read", idempotent: true, kind: "call" };
  const schemas = { inputSchema: true, outputSchema: { type: "object" } };
  const whole = { id: "", ...described, ...schemas, ...spec } as Operation["spec"];
  return { spec: whole, run: { kind: "local", handler: (input) => input } };
}

const repository = {
  type: "object",
  required: ["owner", "name"],
  properties: { owner: text, name: text, issue: number, limit: number, labels: { type: "array" } },
} as const;

/** `repo` may be a name, or an owner and a name. A host is not accepted as an owner. */
function readRepository(params: Readonly<Record<string, unknown>>) {
  const { repo, ...others } = params;
  if (others["owner"] === "localhost") throw new TypeError("localhost is no owner");
  if (repo === undefined) return others;
  const [owner, name] = typeof repo === "string" ? repo.split("/") : [];
  return name === undefined ? { ...others, name: repo } : { owner, name, ...others };
}

const operations = [
  operation({ id: "first.get" }),
  operation({
    id: "issue.view",
    inputSchema: { type: "object", required: ["number"], properties: { number, note: text } },
    aliases: { number: ["issue", "id"] },
  }),
  operation({ id: "repo.view", inputSchema: repository, normaliseInput: readRepository }),
  operation({
    id: "note.add",
    inputSchema: {
      ...repository,
      required: ["owner", "name", "title"],
      properties: { ...repository.properties, title: text },
    },
    normaliseInput: readRepository,
    inputsInText: ["owner", "name"],
  }),
  operation({
    id: "either.get",
    inputSchema: {
      type: "object",
      properties: { id: {} },
      oneOf: [{ properties: { id: number } }, { properties: { id: text } }],
    },
  }),
];

async function second(task: string, input: object, options: object = { operations }) {
  const waybill = createWaybill(options);
  const first = { id: "a", task: "first.get", input: { n: 7, repo: "ada/engine", s: "x" } };
  const { results } = await waybill.chain([first, { id: "b", task, input }], { on_error: "stop" });
  return { wasRun: results[0]!.ok, data: results[1]!.data, error: results[1]!.error };
}

const n = { $from: "a.data.n" };

describe("check of references before a chain runs", () => {
  it.each([
    ["under an alias", "issue.view", { issue: n }, { number: 7 }],
    [
      "inside a $text under an alias",
      "issue.view",
      { id: { $text: "{{a.data.n}}" } },
      { number: 7 },
    ],
    [
      "under a name that normaliseInput reads",
      "repo.view",
      { owner: "ada", repo: { $from: "a.data.s" } },
      { owner: "ada", name: "x" },
    ],
    [
      "if it may contain the required inputs",
      "repo.view",
      { repo: { $from: "a.data.repo" } },
      { owner: "ada", name: "engine" },
    ],
    [
      "beside a literal required input",
      "note.add",
      { repo: { $from: "a.data.repo" }, title: "x" },
      { owner: "ada", name: "engine", title: "x" },
    ],
    ["if the schema has several forms", "either.get", { id: n }, { id: 7 }],
    [
      "if it stands for the whole input",
      "issue.view",
      { $from: "{number: a.data.n}" },
      { number: 7 },
    ],
  ])(
    "the check of a chain step before it runs accepts a reference %s",
    async (_what, task, input, data) => {
      expect(await second(task, input)).toEqual({ wasRun: true, data, error: null });
    },
  );

  it.each([
    ["an unknown name", "issue.view", { nummer: n }, "/nummer"],
    ["a missing input", "issue.view", { note: { $from: "a.data.s" } }, "/number"],
    ["a wrong input beside the reference", "repo.view", { repo: n, limit: "many" }, "/limit"],
    [
      "a missing input that the reference cannot contain",
      "note.add",
      { repo: { $from: "a.data.repo" } },
      "/title",
    ],
    ["an unknown name beside the reference", "repo.view", { repo: n, lmit: 3 }, "/lmit"],
    [
      "a missing input beside a reference in a list",
      "repo.view",
      { owner: "a", labels: [n] },
      "/name",
    ],
  ])("the check of a chain step with a reference reports %s", async (_what, task, input, path) => {
    const { wasRun, error } = await second(task, input);
    expect(wasRun).toBe(false);
    expect(error?.details?.["issues"]).toMatchObject([{ path }]);
  });

  it("the check of a chain step with a reference reports a missing input of a source's operation", async () => {
    const options = { sources: [localSource("shop", operations)] };
    const { wasRun, error } = await second("note.add", { repo: { $from: "a.data.repo" } }, options);
    expect(wasRun).toBe(false);
    expect(error?.details?.["issues"]).toMatchObject([{ path: "/title" }]);
  });

  it("an input of a chain step that depends on a referenced value is checked when the step runs", async () => {
    const { wasRun, error } = await second("repo.view", { owner: "localhost", repo: n });
    expect(wasRun).toBe(true);
    expect(error?.code).toBe("UNKNOWN");
  });
});
