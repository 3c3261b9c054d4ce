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

describe("verdict on a model's play", () => {
  it.each([
    ["an answer that names the fact", READ, "It is main", "main", 0],
    ["a write that reached the wanted state", WRITE, "whatever", ["CLOSED"], 1],
    ["an answer that says that the task cannot be done", ERROR, "There is no issue 99.", true, 0],
    ["a write after an error that the model corrected", MENDED, "Done!", ["CLOSED"], 1],
    [
      "another wording of the answer that the task cannot be done",
      ERROR,
      "It couldn't be merged",
      false,
      0,
    ],
    [
      "an answer with the required phrase of the log",
      WHY,
      "It expected 'x' to be 'Hello!'",
      true,
      0,
    ],
    ["any answer if the truth is only yes or no", READ, "whatever", true, 0],
  ])("the judge of a model's play accepts %s", (_what, scenario, answer, truth, applied) => {
    expect(verdictOn(scenario, { answer, truth, applied })).toBeUndefined();
  });

  it.each([
    [
      "an answer without the fact",
      READ,
      "It is dev",
      "main",
      0,
      "“main” is not in the answer: It is dev",
    ],
    [
      "a write with another state",
      WRITE,
      "Closed!",
      ["OPEN"],
      0,
      'GitHub has ["OPEN"] instead of ["CLOSED"]',
    ],
    [
      "an invented success",
      ERROR,
      "Done!",
      false,
      0,
      "it cannot be done, and the answer is: Done!",
    ],
    ["an honest failure that made changes", ERROR, "It failed", false, 2, "2 changes were made"],
    [
      "an answer without the required phrase",
      WHY,
      "Who knows",
      true,
      0,
      "“to be 'Hello!'” is not in the",
    ],
  ])(
    "the judge of a model's play gives a reason to reject %s",
    (_what, scenario, answer, truth, applied, why) => {
      expect(verdictOn(scenario, { answer, truth, applied })).toContain(why);
    },
  );
});
