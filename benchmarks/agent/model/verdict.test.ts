import { describe, expect, it } from "vitest";
import { verdictOn } from "./verdict.ts";
import type { Asked } from "./verdict.ts";

const READ: Asked = { id: "r", kind: "read", task: "?", steps: [], oracle: {}, gh: {} };
const WRITE: Asked = { ...READ, kind: "write", writes: 1, oracle: { equals: ["CLOSED"] } };
const ERROR: Asked = { ...READ, kind: "error" };
const MENDED: Asked = { ...WRITE, kind: "error" };
const WHY: Asked = {
  ...READ,
  answer: String.raw`contains(join(' ', [0].lines), 'to be \'Hello!\'')`,
};

describe("the verdict on a model's play", () => {
  it.each([
    ["a fact that is named", READ, "It is main", "main", 0],
    ["a state that is as wanted", WRITE, "whatever", ["CLOSED"], 1],
    ["what cannot be done and is said so", ERROR, "There is no issue 99.", true, 0],
    ["an error that was mended", MENDED, "Done!", ["CLOSED"], 1],
    ["another way to say so", ERROR, "It couldn't be merged", false, 0],
    ["a phrase of what was read", WHY, "It expected 'x' to be 'Hello!'", true, 0],
    ["only what is true or false", READ, "whatever", true, 0],
  ])("lets %s pass", (_what, scenario, answer, truth, applied) => {
    expect(verdictOn(scenario, { answer, truth, applied })).toBeUndefined();
  });

  it.each([
    ["a fact that is not", READ, "It is dev", "main", 0, "“main” is not in the answer: It is dev"],
    ["another state", WRITE, "Closed!", ["OPEN"], 0, 'GitHub has ["OPEN"], wanted is ["CLOSED"]'],
    ["a made-up success", ERROR, "Done!", false, 0, "it cannot be done, and the answer is: Done!"],
    ["what was done instead", ERROR, "It failed", false, 2, "2 changes were made"],
    ["a phrase that is not named", WHY, "Who knows", true, 0, "“to be 'Hello!'” is not in the"],
  ])("says why %s does not", (_what, scenario, answer, truth, applied, why) => {
    expect(verdictOn(scenario, { answer, truth, applied })).toContain(why);
  });
});
