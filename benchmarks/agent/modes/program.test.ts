import { expect, it } from "vitest";
import type { Step } from "../types.ts";
import { programFor } from "./program.ts";

it.each<[Step, string, unknown, unknown]>([
  [
    { capability: "issue.view", params: { repo: "octo/hello", number: 1 }, select: ["state"] },
    '(await issue.view("octo/hello#1")).state',
    "OPEN",
    { state: "OPEN" },
  ],
  [
    { capability: "issue.view", params: { repo: "o/h", number: 1 }, select: ["title", "state"] },
    'const {title,state}=await issue.view("o/h#1");({title,state})',
    { title: "A", state: "OPEN" },
    { title: "A", state: "OPEN" },
  ],
  [
    { capability: "branch.list", params: { repo: "o/h", first: 100 }, select: ["items.name"] },
    '(await branch.list("o/h")).map(i=>i.name)',
    ["main"],
    { items: [{ name: "main" }] },
  ],
  [
    { capability: "issue.close", params: { repo: "o/h", number: 2, reason: "not_planned" } },
    'await issue.close("o/h#2",{reason:"not_planned"})',
    null,
    null,
  ],
  [
    { capability: "user.me", params: {}, select: ["login"] },
    "(await user.me()).login",
    "octocat",
    { login: "octocat" },
  ],
])(
  "the benchmark writes the step %j as a program and reads the program's result as the step's data",
  (step, text, returned, data) => {
    const program = programFor(step);
    expect(program.text).toBe(text);
    expect(program.dataOf(returned)).toEqual([data]);
  },
);
