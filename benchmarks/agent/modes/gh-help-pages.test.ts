import { expect, it } from "vitest";
import { helpPages } from "./gh-help-pages.ts";

it.each([
  ["gh issue close 3 -R o/r", ["gh issue --help", "gh issue close --help"]],
  ["gh issue view 1 --json title,state", ["gh issue --help", "gh issue view --help"]],
  [
    "gh run view 1 --json attempt,status",
    ["gh run --help", "gh run view --help", "gh run view --json"],
  ],
  ["gh api user -q .login", ["gh api --help"]],
  ["gh api repos/o/r/git/refs -f sha=$(gh api repos/o/r -q .sha) -q .ref", ["gh api --help"]],
  [
    "gh pr edit 1 -b $(gh issue view 2 --json title)",
    ["gh pr --help", "gh pr edit --help", "gh issue --help", "gh issue view --help"],
  ],
])("an agent that reads help needs these gh help pages for the command: %s", (line, pages) => {
  expect(helpPages([line])).toEqual(pages);
});

it("a gh help page that several commands need is listed once", () => {
  const lines = ["gh issue view 4 -R o/r", "gh issue view 5 -R o/r", "gh issue close 5 -R o/r"];
  expect(helpPages(lines)).toEqual([
    "gh issue --help",
    "gh issue view --help",
    "gh issue close --help",
  ]);
});

it.each(["gh --version", "gh browse", "cat file", "echo $(gh api user)"])(
  "a command without a known gh help page is rejected: %s",
  (line) => {
    expect(() => helpPages([line])).toThrow(/no help|no command/);
  },
);
