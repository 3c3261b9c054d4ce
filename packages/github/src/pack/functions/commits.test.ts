import { describe, expect, it } from "vitest";
import { commitFunctions } from "./commits.ts";

describe("what is committed", () => {
  it("is put into what GitHub adds and what it deletes", () => {
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
  ])("has a message of two parts: %j", (message, parts) => {
    expect(commitFunctions["commitMessage"]!(message, {})).toEqual(parts);
  });
});
