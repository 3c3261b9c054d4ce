import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/run.mjs";
import { readPackages } from "./support/packages.ts";

const LEFT_OUT = /(?:^|\/)(?:fixtures|__snapshots__)(?:\/|$)/;

const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf("\n")), text]),
);

describe("ARCHITECTURE.md", () => {
  it.each(readPackages(root).map(({ path }) => path))(
    "ARCHITECTURE.md lists every folder of %s",
    (path) => {
      const listed = [...(sections.get(path) ?? "").matchAll(/^- `([^`]+)\/`: \S/gm)];
      const folders = listed.map(([, folder = ""]) => folder);
      expect(folders.toSorted()).toEqual(foldersIn(`${path}/src`));
    },
  );

  it("ARCHITECTURE.md lists no folder twice", () => {
    for (const text of sections.values()) {
      const folders = [...text.matchAll(/^- `([^`]+)\/`/gm)].map(([, folder]) => folder);
      expect(folders).toEqual([...new Set(folders)]);
    }
  });
});

/** The folders are read from file paths, because another branch may have left an empty folder. */
function foldersIn(path: string): string[] {
  const files = readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(root, path), entry.parentPath).replaceAll("\\", "/"))
    .filter((folder) => folder !== "" && !LEFT_OUT.test(folder));
  return [...new Set(files.flatMap(withParents))].toSorted();
}

function withParents(folder: string): string[] {
  const parts = folder.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
