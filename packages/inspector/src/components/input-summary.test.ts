import { describe, expect, it } from "vitest";
import { inputSummary } from "./input-summary.ts";

describe("inputSummary", () => {
  it.each([
    ['{"owner":"octo","name":"hello","number":2,"title":"T"}', "octo/hello#2, title: T"],
    ['{"repo":"octo/hello","labels":["a"]}', 'octo/hello, labels: ["a"]'],
    ['{"id":3}', "#3"],
    ['{"owner":"octo","name":"hello","issueNumber":7}', "octo/hello#7"],
    ['{"query":"is:open"}', "query: is:open"],
    ['{"steps":[{"task":"a.one","input":{"id":1}},{"task":"b.two"}]}', "a.one, b.two"],
    ['{"steps":[{"id":"x","task":"a.one","input":{"titl', "a.one, …"],
    ["{}", ""],
    ["[1,2]", "[1,2]"],
    ['{"owner":"octo","body":"cut off he', "owner: octo, body: cut off he"],
    ['{"code":"const all = [];\\nreturn \\"a\\"","approve":"1"}', 'const all = []; return "a"'],
    ['{"code":"const branches = await bra', "const branches = await bra"],
  ])("the inspector summarises the input %s as: %s", (input, line) => {
    expect(inputSummary(input)).toBe(line);
  });
});
