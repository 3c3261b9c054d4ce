import { describe, expect, it } from "vitest";
import { fileFunctions } from "./files.ts";

const blob = { kind: "Blob", oid: "abc", byteSize: 12, isBinary: false, isTruncated: false };
const content = { type: "file", path: "a", sha: "abc", size: 12, encoding: "base64" };
const view = (text: string, params: object) =>
  fileFunctions["blobView"]!({ ...blob, text }, { path: "a", ...params });

describe("file contents", () => {
  it("file.view keeps the line ends of a whole file", () => {
    expect(view("a\r\nb\n", {})).toMatchObject({ text: "a\r\nb\n", lines: 2, startLine: 1 });
    expect(view("a\nb", {})).toMatchObject({ text: "a\nb", lines: 2, endLine: 2 });
    expect(view("", {})).toMatchObject({ text: "", lines: 0 });
  });

  it("file.view returns a range of lines, cut to the length of the file", () => {
    expect(view("a\nb\nc\n", { startLine: 2, endLine: 9 })).toMatchObject({
      text: "b\nc",
      startLine: 2,
      endLine: 3,
      lines: 3,
    });
    expect(view("a\n", { startLine: 5 })).toMatchObject({ text: "", lines: 1 });
  });

  it("file.view marks a binary file and a file that GitHub truncates", () => {
    const binary = { ...content, content: Buffer.from([1, 0, 2]).toString("base64") };
    expect(fileFunctions["contentView"]!(binary, { path: "a" })).toMatchObject({
      isBinary: true,
      truncated: false,
      text: null,
    });
    const large = { ...content, encoding: "none", content: "" };
    expect(fileFunctions["contentView"]!(large, { path: "a" })).toMatchObject({
      truncated: true,
      text: null,
      lines: null,
    });
  });

  it("file.view decodes base64 that GitHub's REST API wraps into lines", () => {
    const wrapped = Buffer.from("Grüße 👋\r\n").toString("base64").replaceAll(/.{4}/g, "$&\n");
    const shown = fileFunctions["contentView"]!({ ...content, content: wrapped }, { path: "a" });
    expect(shown).toMatchObject({ text: "Grüße 👋\r\n" });
  });
});

describe("folder contents", () => {
  it("file.list distinguishes files, folders, symbolic links and submodules", () => {
    const entries = [
      { name: "z", mode: 0o100644, size: 3 },
      { name: "link", mode: 0o120000, size: 4 },
      { name: "sub", mode: 0o160000, size: 0 },
      { name: "dir", mode: 0o040000, size: 0 },
    ];
    expect(fileFunctions["treeList"]!({ kind: "Tree", entries }, { path: "in/" })).toEqual({
      items: [
        { path: "in/dir", type: "DIR", size: null },
        { path: "in/link", type: "SYMLINK", size: null },
        { path: "in/sub", type: "SUBMODULE", size: null },
        { path: "in/z", type: "FILE", size: 3 },
      ],
      truncated: false,
    });
  });

  it("file.list marks a folder listing that GitHub truncates", () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({ ...content, path: `a/${at}` }));
    expect(fileFunctions["folderList"]!(many, { path: "a" })).toMatchObject({ truncated: true });
    expect(fileFunctions["restTreeList"]!({ tree: [], truncated: true }, { path: "a" })).toEqual({
      items: [],
      truncated: true,
    });
  });
});
