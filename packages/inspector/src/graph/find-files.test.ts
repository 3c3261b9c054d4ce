import { describe, expect, it } from "vitest";
import { findFiles } from "./find-files.ts";

const FILES = ["src/user/index.ts", "src/user/user-store.ts", "src/users.ts", "test/us.er.ts"];

function found(words: string): string[] {
  return findFiles(FILES, words).map((file) => FILES[file]!);
}

describe("files", () => {
  it("files are found by their names first, then by their folders", () => {
    expect(found("user")).toEqual([
      "src/users.ts",
      "src/user/user-store.ts",
      "src/user/index.ts",
      "test/us.er.ts",
    ]);
  });

  it("files are found by letters in their order", () => {
    expect(found("suidx")).toEqual(["src/user/index.ts"]);
  });

  it("files are found whatever the case, and as words", () => {
    expect(found(" USER Store ")).toEqual(["src/user/user-store.ts"]);
    expect(found("User-Store")).toEqual(["src/user/user-store.ts"]);
  });

  it("files are not found by nothing", () => {
    expect(found("  ")).toEqual([]);
    expect(found("zzz")).toEqual([]);
  });

  it("files are no more than can be read", () => {
    const many = Array.from({ length: 500 }, (_, at) => `file${at}.ts`);
    expect(findFiles(many, "file")).toHaveLength(30);
  });
});
