import { describe, expect, it } from "vitest";
import { findFiles } from "./find-files.ts";

const FILES = ["src/user/index.ts", "src/user/user-store.ts", "src/users.ts", "test/us.er.ts"];

function found(words: string): string[] {
  return findFiles(FILES, words).map((file) => FILES[file]!);
}

describe("file search", () => {
  it("the file search of the inspector's code graph page finds files by name first, then by folder", () => {
    expect(found("user")).toEqual([
      "src/users.ts",
      "src/user/user-store.ts",
      "src/user/index.ts",
      "test/us.er.ts",
    ]);
  });

  it("the file search of the inspector's code graph page finds files whose paths contain the searched letters in this order", () => {
    expect(found("suidx")).toEqual(["src/user/index.ts"]);
  });

  it("the file search of the inspector's code graph page finds files in any letter case and by several words", () => {
    expect(found(" USER Store ")).toEqual(["src/user/user-store.ts"]);
    expect(found("User-Store")).toEqual(["src/user/user-store.ts"]);
  });

  it("the file search of the inspector's code graph page finds no file for an empty or unknown query", () => {
    expect(found("  ")).toEqual([]);
    expect(found("zzz")).toEqual([]);
  });

  it("the file search of the inspector's code graph page returns at most 30 files", () => {
    const many = Array.from({ length: 500 }, (_, at) => `file${at}.ts`);
    expect(findFiles(many, "file")).toHaveLength(30);
  });
});
