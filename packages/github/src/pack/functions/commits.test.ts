import { describe, expect, it } from "vitest";
import { commitFunctions } from "./commits.ts";

describe("committed files and messages", () => {
  it("file.commit splits its files into additions and deletions, as GitHub's API needs them", () => {
    const files = [
      { path: "a", content: "Grüße 👋\r\n" },
      { path: "b", content: "AAE=", encoding: "base64" },
      { path: "c", content: "" },
      { path: "d", content: null },
    ];
    expect(commitFunctions["fileChanges"]!(files, {})).toEqual({
      additions: [
        { path: "a", contents: Buffer.from("Grüße 👋\r\n").toString("base64") },
        { path: "b", contents: "AAE=" },
        { path: "c", contents: "" },
      ],
      deletions: [{ path: "d" }],
    });
  });

  it.each([
    ["One line", { headline: "One line" }],
    ["Head\n\nBody\n\nmore", { headline: "Head", body: "Body\n\nmore" }],
    ["Head\n\n", { headline: "Head" }],
  ])("file.commit splits the commit message %j into headline and body", (message, parts) => {
    expect(commitFunctions["commitMessage"]!(message, {})).toEqual(parts);
  });
});
