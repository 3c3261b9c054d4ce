import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { readScenarios } from "../scenario/read.ts";
import { turn } from "../play/text.ts";
import type { Trajectory } from "../types.ts";
import { play } from "./fixtures/sample.ts";
import { addFloors } from "./index.ts";

const scenarios = readScenarios();

function trajectory(scenario: string, what: string, read: string): Trajectory {
  const turns = [turn("discover", "explain", "x", "y"), turn("call", what, "call", read)];
  return { scenario, mode: "mcp-indexed", variant: "plain", definitions: [], turns };
}

it.each([
  [
    "issue-view",
    "execute",
    '{"title":"It fails","state":"OPEN","labels":["bug"]}',
    ["issue.view octo/hello#1 title state labels", "It fails OPEN bug"],
  ],
  [
    "issue-list",
    "execute",
    "number\ttitle\n1\tOne\n2\tTwo",
    ["issue.list octo/hello open number title", "1 One 2 Two"],
  ],
  [
    "error-no-issue",
    "execute",
    "!NOT_FOUND No issue (not applied)",
    ["issue.view octo/hello#99 title", "NOT_FOUND"],
  ],
])(
  "the minimum tokens of %s are computed from the words of its calls and the values of its answer",
  (scenario, what, read, texts) => {
    const [first] = addFloors([play({ scenario })], [trajectory(scenario, what, read)], scenarios);
    expect(first?.floor).toBe(texts.map((text) => countTokens(text)).reduce((a, b) => a + b, 0));
  },
);

it("a scenario that was not played has no minimum tokens", () => {
  expect(addFloors([play()], [], scenarios)[0]).not.toHaveProperty("floor");
});
