import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isChecked, readTexts } from "../scripts/prose/read-texts.ts";
import { root } from "../scripts/run.mjs";

const MOST_FILES = 3;
const TEST_FILE = /\.test(?:-d)?\.tsx?$|^test\/|\/testing\//;

describe("function names", () => {
  it(`each function name is declared in at most ${MOST_FILES} files, unless ARCHITECTURE.md lists it`, () => {
    const shared = [...filesByName()].filter(([, files]) => files.size > MOST_FILES);
    expect(shared.map(([name]) => name).toSorted()).toEqual(conventions());
  });
});

function filesByName(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of productFiles()) {
    for (const name of functionsIn(file)) {
      found.set(name, (found.get(name) ?? new Set()).add(file));
    }
  }
  return found;
}

function productFiles(): string[] {
  const listed = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  return listed.filter(
    (file) =>
      /\.(?:tsx?|[cm]?js)$/.test(file) &&
      !TEST_FILE.test(file) &&
      isChecked(file) &&
      existsSync(join(root, file)),
  );
}

/** Names that are declared as functions; classes and types are declared as something else. */
function functionsIn(file: string): string[] {
  const names = readTexts(file).flatMap(({ kind, body }) => (kind === "name" ? [body] : []));
  const code = readFileSync(join(root, file), "utf8");
  return names.filter((name) => new RegExp(`function\\*? ${name}\\b`).test(code));
}

/** The first column of the table in the section "Names". */
function conventions(): string[] {
  const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const [, section = ""] = page.split(/^## Names$/m);
  const [table = ""] = section.split(/^## /m);
  return [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name = ""]) => name).toSorted();
}
