import { describe, expect, it } from "vitest";
import { gist } from "./gist.ts";

describe("gist", () => {
  it.each([
    ['{"owner":"octo","name":"hello","number":2,"title":"T"}', "octo/hello#2, title: T"],
    ['{"repo":"octo/hello","labels":["a"]}', 'octo/hello, labels: ["a"]'],
    ['{"id":3}', "#3"],
    ['{"query":"is:open"}', "query: is:open"],
    ["{}", ""],
    ["[1,2]", "[1,2]"],
    ['{"owner":"octo","body":"cut off he', "owner:octo, body:cut off he"],
  ])("shows the input %s as %s", (input, line) => {
    expect(gist(input)).toBe(line);
  });
});
