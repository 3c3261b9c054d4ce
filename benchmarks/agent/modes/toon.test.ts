import { expect, it } from "vitest";
import { toonText } from "./toon.ts";

it("the TOON format shows flat rows as a table and quotes ambiguous strings", () => {
  const issues = [
    { number: 1, title: "It fails, often", state: "open" },
    { number: 2, title: "12", state: "open" },
  ];
  expect(toonText({ issues })).toBe(
    'issues[2]{number,title,state}:\n  1,"It fails, often",open\n  2,"12",open',
  );
});

it("the TOON format indents objects, and shows mixed lists item by item", () => {
  expect(toonText({ issue: { number: 1, labels: ["bug"], body: "a\nb" } })).toBe(
    'issue:\n  number: 1\n  labels[1]: bug\n  body: "a\\nb"',
  );
  expect(toonText([{ a: { b: 1 } }, { a: 2 }])).toBe("[2]:\n  - a:\n      b: 1\n  - a: 2");
});
