import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const folder = join(import.meta.dirname, "../docs/guides");
const page = readFileSync(join(folder, "security.md"), "utf8");

/** The rows of the tables, without their header rows. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (?:guard|-+) /u.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

function testsIn(cell: string): string[] {
  return Array.from(cell.matchAll(/\]\(([^)]+)\)/gu), ([, path]) => join(folder, path!));
}

describe("security page", () => {
  it.each([
    "A hostile repository",
    "A hostile description",
    "A hostile MCP server",
    "A hostile caller",
    "A web page in your browser",
    "A hostile upstream",
    "What Waybill does not protect against",
    "Report a weakness",
  ])("docs/guides/security.md has the section: %s", (title) => {
    expect(page).toMatch(new RegExp(`^##+ ${title}$`, "mu"));
  });

  it.each(rows)(
    "docs/guides/security.md names an existing test for each guard: %s%s",
    (_start, guard, tests = "") => {
      const paths = testsIn(tests);
      expect([guard, paths]).not.toEqual([guard, []]);
      for (const path of paths) {
        expect([path, path.endsWith(".test.ts") && existsSync(path)]).toEqual([path, true]);
        expect(readFileSync(path, "utf8")).toMatch(/\bit(?:\.\w+)*[(<]/u);
      }
    },
  );

  it("docs/guides/security.md lists more than 25 guards", () => {
    expect(rows.length).toBeGreaterThan(25);
  });
});
