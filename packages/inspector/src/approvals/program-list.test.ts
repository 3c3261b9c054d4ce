import { describe, expect, it } from "vitest";
import { readProgramList } from "./program-list.ts";

const waiting = [{ capability_id: "branch.delete", count: 2, examples: [{ branch: "a" }] }];

describe("readProgramList", () => {
  it("the inspector reads the writes of a program that wait for an approval", () => {
    const list = { waiting, unfinished: "More may follow.", program: "return 1" };
    expect(readProgramList(JSON.stringify(list))).toEqual(list);
    expect(readProgramList(JSON.stringify({ waiting, program: "" }))).toEqual({
      waiting,
      program: "",
    });
  });

  it.each(['{"branch":"a"}', '{"waiting":[1],"program":""}', '{"waiting":[{"capab…', "null", "[]"])(
    "the inspector finds no waiting writes of a program in the params of another call: %s",
    (params) => {
      expect(readProgramList(params)).toBeUndefined();
    },
  );
});
