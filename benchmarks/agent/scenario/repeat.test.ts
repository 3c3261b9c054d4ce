import { expect, it } from "vitest";
import { repeatStep, repeatUse, splitParts } from "./repeat.ts";

const close = { capability: "issue.close", params: { repo: "octo/hello" } };

it("a repeated scenario step has one call for each value of a list, and pairs the values of several lists", () => {
  const each = { number: [1, 2], reason: ["done", "stale"] };
  expect(repeatStep({ ...close, each }).map(({ params }) => params)).toEqual([
    { repo: "octo/hello", number: 1, reason: "done" },
    { repo: "octo/hello", number: 2, reason: "stale" },
  ]);
  expect(repeatStep(close)).toEqual([close]);
});

it("a repeated REST call of a scenario has each value in its path and its body", () => {
  const use = {
    tool: "issue_write",
    args: { owner: "octo" },
    rest: "PATCH /repos/octo/hello/issues/$issue_number",
    body: { title: "$title" },
    shape: "done",
  };
  expect(repeatUse({ ...use, each: { issue_number: [7], title: ['Say "hi"'] } })).toEqual([
    {
      ...use,
      args: { owner: "octo", issue_number: 7, title: 'Say "hi"' },
      rest: "PATCH /repos/octo/hello/issues/7",
      body: { title: 'Say "hi"' },
    },
  ]);
});

it("the repeated calls of one scenario step are grouped", () => {
  const steps = [close, ...repeatStep({ ...close, each: { number: [1, 2] } })];
  expect(splitParts(steps).map((part) => part.length)).toEqual([1, 2]);
});
