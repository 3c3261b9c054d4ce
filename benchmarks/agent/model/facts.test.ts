import { describe, expect, it } from "vitest";
import { missingFact } from "./facts.ts";

describe("facts in an answer", () => {
  it.each([
    ["Broken build", "It is called **broken  build**."],
    [12, "There are 12."],
    [1_234, "There are 1,234 of them"],
    [["a-b", 3], "a-b has 3"],
    [{ title: "x", open: true, none: null }, "Yes, `x` is open"],
    [1.5, "1.5 s"],
    [{ draft: false, number: 7 }, "Only #7"],
    ["src/greet.ts:12", "In line 12 of src/greet.ts"],
    ["CHANGES_REQUESTED", "hubot: changes requested"],
  ])("the judge of model answers finds the fact %j in the answer %j", (truth, answer) => {
    expect(missingFact(truth, answer)).toBeUndefined();
  });

  it("the judge of model answers accepts any answer if there is no fact to find", () => {
    expect(missingFact(undefined, "anything")).toBeUndefined();
  });

  it.each([
    ["Broken build", "It is called broken.", "Broken build"],
    [12, "There are 112, or 12.5", "12"],
    [["a", "zebra"], "a only", "zebra"],
    [15, "1.5", "15"],
    ["src/greet.ts:12", "In line 13 of src/greet.ts", "12"],
  ])(
    "the judge of model answers does not find the fact %j in the answer %j",
    (truth, answer, missing) => {
      expect(missingFact(truth, answer)).toBe(missing);
    },
  );
});
