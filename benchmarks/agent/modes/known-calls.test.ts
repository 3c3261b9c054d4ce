import { describe, expect, it } from "vitest";
import { skillText } from "../../../packages/cli/src/skill/index.ts";
import { readScenarios } from "../scenario/read.ts";
import {
  knowsChain,
  knowsId,
  knowsInputs,
  knowsOutputs,
  knowsQuestion,
  showsSignature,
} from "./known-calls.ts";

const lean = skillText({ form: "lean", door: "command" });
const indexed = skillText({ form: "indexed", door: "command" });

describe("calls that a skill shows", () => {
  it.each([
    ["issue.view", true, true],
    ["release.list", true, true],
    ["issue.comments.create", false, true],
    ["pr.checks.list", false, true],
    ["issue.labels.add", false, true],
    ["search.code", false, true],
    ["workflow.run.cancel", false, false],
    ["issue.veiw", false, false],
    ["pr.checks.lists", false, false],
  ])("the skill names the id %s: lean skill %s, indexed skill %s", (id, byLean, byIndexed) => {
    expect([knowsId(lean, id), knowsId(indexed, id)]).toEqual([byLean, byIndexed]);
  });

  it.each([
    ["pr.merge", ["repo", "number", "method"], false, true],
    ["issue.create", ["repo", "title", "body"], true, true],
    ["issue.comments.list", ["repo", "number", "first", "after"], true, true],
    ["issue.labels.add", ["repo", "number", "labels"], false, true],
    // The name of an object is not the name of an input, and an input of another call does not
    // count.
    ["branch.create", ["repo", "branch"], false, true],
    ["branch.list", ["repo", "method"], false, false],
  ])(
    "the skill shows the inputs of %s %j: lean skill %s, indexed skill %s",
    (capability, names, byLean, byIndexed) => {
      const params = Object.fromEntries(names.map((name) => [name, 1]));
      const step = { capability, params };
      expect([knowsInputs(lean, step), knowsInputs(indexed, step)]).toEqual([byLean, byIndexed]);
    },
  );

  it("the indexed skill shows at least 97 % of the scenarios' calls", () => {
    const steps = readScenarios()
      .filter(({ kind }) => kind !== "code")
      .flatMap((scenario) => scenario.steps);
    const known = steps.filter(
      (step) => knowsId(indexed, step.capability) && knowsInputs(indexed, step),
    );
    expect(known.length / steps.length).toBeGreaterThanOrEqual(0.97);
  });

  it("the benchmark counts an output in a selection or reference as known only if the skill names it for that capability", () => {
    const known = { capability: "pr.view", params: {}, select: ["headRefName", "items.title"] };
    const own = { capability: "pr.reviews.list", params: {}, select: ["items.authorLogin"] };
    const taken = { capability: "x.y", params: { id: { $from: "a.data.failedStep[0]" } } };
    // An input with that name is not an output.
    const input = { capability: "x.y", params: { id: { $from: "a.data.jobId" } } };
    expect([known, own, taken, input].map((step) => knowsOutputs(indexed, step))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("the signature of a call counts as known only after an answer that shows it", () => {
    const answer = '{"error":{"details":{"signature":"pr.view(repo, number)"}}}';
    expect([showsSignature(answer, "pr.view"), showsSignature(answer, "pr.reviews.list")]).toEqual([
      true,
      false,
    ]);
  });
});

describe("code graph calls that a skill shows", () => {
  const step = { capability: "graph.module", params: { target: "a.ts", include: ["imports"] } };

  it.each([
    ["a signature", "graph.module(target, include?:(imports|exports)[], limit?)", true],
    ["a signature over two lines", "impact(target)  module(target,\n  include?)", true],
    ["a line with the tool and its inputs", "module    target, include", true],
    ["a tool definition", '{"name":"graph_module","inputSchema":{"target":{},"include":{}}}', true],
    ["the tool's name without inputs", "Tools: digest, module, path", false],
    ["inputs of another tool", "impact(target,include?) module(limit?)", false],
    ["the inputs of a tool with a longer name", "modules(target, include?)", false],
  ])(
    "a text counts as telling an agent how to make a call if it contains the call's name and inputs: %s",
    (_, text, isKnown) => {
      expect(knowsQuestion(text, step)).toBe(isKnown);
    },
  );
});

describe("chains that a skill shows", () => {
  const bare = [{ capability: "a.b", params: {} }];
  const taking = [
    { capability: "a.b", params: {}, id: "one" },
    { capability: "a.c", params: { n: { $from: "one.data.n" } }, select: ["n"] },
  ];
  const skill =
    'explain(id) --select x. `chain` (`waybill chain --steps \'[{"task":id,"params":{}}]\'`)';

  it("a member of a chain is found by its name only, not by a value or flag with an equal name", () => {
    expect([knowsChain(skill, bare), knowsChain(skill, taking)]).toEqual([true, false]);
    const more = `${skill}; also "id", "select" and {"$from":"id.data.number"}`;
    expect(knowsChain(more, taking)).toBe(true);
    expect(knowsChain(`${skill} id?, select?`, taking)).toBe(false);
  });

  it("no chain is found in a text without chains", () => {
    expect(knowsChain("task input", bare)).toBe(false);
  });
});
