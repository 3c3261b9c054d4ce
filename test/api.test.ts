import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readApi } from "../scripts/api/read-api.ts";
import { root } from "../scripts/run.mjs";

const MAX_ROOT_NAMES = 130;
const MIN_EXAMPLES = 20;

const entry = readApi("packages/core/src/index.ts");
const all = ["index", "cards", "protocol", "schema"].flatMap((name) =>
  readApi(`packages/core/src/${name}.ts`),
);
const isOptions = (name: string): boolean => /(?:Options|Definition)$/.test(name);

describe("the public API of @waybill/core", () => {
  it(`has at most ${MAX_ROOT_NAMES} names at its root`, () => {
    expect(entry.length).toBeLessThanOrEqual(MAX_ROOT_NAMES);
  });

  it("exports each name from one entry only", () => {
    const names = all.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("has a comment on every declaration", () => {
    expect(all.filter(({ doc }) => doc === "").map(({ name, file }) => `${file} ${name}`)).toEqual(
      [],
    );
  });

  it("has a comment on every option, with the default of an optional one", () => {
    const options = all
      .filter(({ name }) => isOptions(name))
      .flatMap(({ name, members }) => members.map((member) => ({ ...member, of: name })));
    const silent = options.filter(({ doc, isOptional }) => {
      const hasDefault = doc.replaceAll(/\s+/g, " ").includes("(default: ");
      return doc === "" || (isOptional && !hasDefault);
    });
    expect(options.length).toBeGreaterThan(70);
    expect(silent.map(({ of, name }) => `${of}.${name}`)).toEqual([]);
  });

  it(`has an example on at least ${MIN_EXAMPLES} names`, () => {
    const shown = entry.filter(({ doc }) => doc.includes("@example"));
    expect(shown.length).toBeGreaterThanOrEqual(MIN_EXAMPLES);
  });

  it("is on the reference page, name by name", () => {
    const page = readFileSync(join(root, "docs/reference/api.md"), "utf8");
    expect(all.filter(({ name }) => !page.includes(`\n### ${name}\n`))).toEqual([]);
  });
});
