import { describe, expect, it } from "vitest";
import { skillText } from "../../../packages/cli/src/skill/index.ts";
import { knowsId, knowsInputs, knowsOutputs } from "./known-calls.ts";

const lean = skillText({ form: "lean" });
const indexed = skillText({ form: "indexed" });

describe("what an agent knows by its skill", () => {
  it.each([
    ["issue.view", true, true],
    ["release.list", true, true],
    ["issue.comments.create", true, true],
    ["pr.checks.list", false, true],
    ["issue.labels.remove", false, true],
    ["workflow.run.cancel", false, true],
    ["issue.veiw", false, false],
    ["pr.checks.lists", false, false],
  ])("id %s: lean %s, indexed %s", (id, byLean, byIndexed) => {
    expect([knowsId(lean, id), knowsId(indexed, id)]).toEqual([byLean, byIndexed]);
  });

  it("knows inputs by their names in the text", () => {
    const step = { capability: "pr.merge", params: { repo: "o/r", number: 1, method: "squash" } };
    expect([knowsInputs(lean, step), knowsInputs(indexed, step)]).toEqual([false, true]);
  });

  it("knows outputs that the text or GitHub itself calls so, in selections and references", () => {
    const known = { capability: "pr.view", params: {}, select: ["headRefName", "items.title"] };
    const own = { capability: "pr.reviews.list", params: {}, select: ["items.authorLogin"] };
    const taken = { capability: "x.y", params: { id: { $from: "a.data.topErrorLines[0]" } } };
    expect([known, own, taken].map((step) => knowsOutputs(indexed, step))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
