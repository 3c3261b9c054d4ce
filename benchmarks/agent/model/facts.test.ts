import { describe, expect, it } from "vitest";
import { missingFact } from "./facts.ts";

describe("facts in an answer", () => {
  it.each([
    ["Broken build", "It is called **broken  build**."],
    [12, "There are 12."],
    [1_234, "There are 1,234 of them"],
    [["a-b", 3], "a-b has 3"],
    [{ title: "x", open: true, none: null }, "Yes, `x` is open"],
    [false, "No."],
    [false, "It isn't merged"],
    [true, "It is merged"],
    [undefined, "anything"],
    [1.5, "1.5 s"],
  ])("%j stands in %j", (truth, answer) => {
    expect(missingFact(truth, answer)).toBeUndefined();
  });

  it.each([
    ["Broken build", "It is called broken.", "Broken build"],
    [12, "There are 112, or 12.5", "12"],
    [["a", "zebra"], "a only", "zebra"],
    [true, "nobody knows", "true"],
    [15, "1.5", "15"],
    [true, "It has not been merged", "true"],
    [false, "It is merged", "false"],
  ])("%j does not stand in %j", (truth, answer, missing) => {
    expect(missingFact(truth, answer)).toBe(missing);
  });
});
