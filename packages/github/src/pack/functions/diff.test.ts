import { describe, expect, it } from "vitest";
import { diffFunctions, pageHunks, splitHunks } from "./diff.ts";

const first = "@@ -1,2 +1,3 @@ function a() {\n one\n+@@ not a hunk\n two";
const second = "@@ -10 +11 @@\n-three\n+four";
const third = "@@ -20,0 +22,2 @@\n+five\n+six\n\\ No newline at end of file";
const patch = [first, second, third].join("\n");

describe("hunks of a patch", () => {
  it("a diff is split into hunks only at real hunk headers", () => {
    const hunks = splitHunks(patch);
    expect(hunks.map((hunk) => hunk.trimEnd())).toEqual([first, second, third]);
    expect(hunks.join("")).toBe(patch);
  });

  it("a page of a diff has as many whole hunks as fit and the number of the next hunk", () => {
    const hunks = splitHunks(patch);
    expect(pageHunks(hunks, 1, 7)).toEqual({ text: `${first}\n${second}`, nextHunk: 3 });
    expect(pageHunks(hunks, 3, 7)).toEqual({ text: third, nextHunk: null });
    expect(pageHunks(hunks, 1, 100)).toEqual({ text: patch, nextHunk: null });
  });

  it("the pages of a diff together contain every hunk", () => {
    const hunks = splitHunks(patch);
    const pages: string[] = [];
    for (let from: number | null = 1; from !== null;) {
      const page = pageHunks(hunks, from, 4);
      pages.push(page.text);
      from = page.nextHunk;
    }
    expect(pages.join("\n")).toBe(patch);
  });

  it("a hunk that is longer than a page is cut, and the page says how many lines are left", () => {
    const long = ["@@ -0,0 +1,50 @@", ...Array.from({ length: 50 }, (_, at) => `+${at}`)].join(
      "\n",
    );
    const { text, nextHunk } = pageHunks([long, second], 1, 10);
    expect(text.split("\n")).toHaveLength(11);
    expect(text).toContain("[41 more lines in this hunk]");
    expect(nextHunk).toBe(2);
  });

  it("a page after the last hunk of a diff has no text", () => {
    expect(pageHunks(splitHunks(patch), 9, 10)).toEqual({ text: "", nextHunk: null });
    expect(splitHunks("")).toEqual([]);
  });
});

describe("files of a diff", () => {
  const file = { filename: "b.ts", status: "renamed", additions: 1, deletions: 0 };
  const files = [
    { ...file, previous_filename: "a.ts", patch },
    { ...file, filename: "logo.png", status: "added" },
  ];

  it("the files of a diff have their status, and null as the patch if GitHub sends none", () => {
    expect(diffFunctions["fileDiffs"]!(files, {})).toMatchObject([
      { path: "b.ts", previousPath: "a.ts", status: "RENAMED", hunks: 3, nextHunk: null },
      { path: "logo.png", previousPath: null, status: "ADDED", hunks: null, patch: null },
    ]);
  });

  it("a renamed file of a diff is found by its old path", () => {
    expect(diffFunctions["fileDiffs"]!(files, { path: "a.ts", fromHunk: 2 })).toMatchObject([
      { path: "b.ts", patch: `${second}\n${third}` },
    ]);
  });

  it("the files of a diff have patches only if the caller asks for patches", () => {
    const [lean] = diffFunctions["changedFiles"]!(files, {}) as object[];
    expect(lean).not.toHaveProperty("patch");
    expect(diffFunctions["changedFiles"]!(files, { diff: true })).toMatchObject([{ patch }, {}]);
  });
});
