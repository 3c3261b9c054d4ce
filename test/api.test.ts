import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readApi } from "../scripts/api/read-api.ts";
import { root } from "../scripts/run.mjs";

const MAX_ROOT_NAMES = 130;
const WITH_EXAMPLES = 20;
const IMPORT = /import (?:type )?\{(?<names>[^}]*)\} from "@waybill\/core";/gu;

const entry = readApi("packages/core/src/index.ts");
const all = ["index", "cards", "protocol", "schema", "testing/index"].flatMap((name) =>
  readApi(`packages/core/src/${name}.ts`),
);
const members = all.flatMap((api) =>
  api.members.map((member) => ({
    ...member,
    doc: member.doc.replaceAll(/\s+/gu, " "),
    path: `${api.name}.${member.name}`,
  })),
);

/**
 * How often each exported name of core is imported by the docs, the examples and the other
 * packages.
 */
function countUses(): Map<string, number> {
  const uses = new Map<string, number>();
  for (const folder of ["docs", "examples", "packages"]) {
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.(?:md|ts)$/u.test(file) || /node_modules|dist\/|api\.md|^core\//u.test(file))
        continue;
      for (const { groups } of readFileSync(join(root, folder, file), "utf8").matchAll(IMPORT)) {
        for (const name of groups!["names"]!.split(",").map((each) => each.trim())) {
          uses.set(name, (uses.get(name) ?? 0) + 1);
        }
      }
    }
  }
  return uses;
}

describe("public API of @waybill/core", () => {
  it(`@waybill/core exports at most ${MAX_ROOT_NAMES} names from its root`, () => {
    expect(entry.length).toBeLessThanOrEqual(MAX_ROOT_NAMES);
  });

  it("@waybill/core exports each name from one entry only", () => {
    const names = all.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("@waybill/core documents every declaration", () => {
    expect(all.filter(({ doc }) => doc === "").map(({ name, file }) => `${file} ${name}`)).toEqual(
      [],
    );
  });

  it("@waybill/core documents every member", () => {
    expect(members.length).toBeGreaterThan(700);
    expect(members.filter(({ doc }) => doc === "").map(({ path }) => path)).toEqual([]);
  });

  it("@waybill/core documents the default of every optional member, or when the member is absent", () => {
    const silent = members.filter(
      ({ doc, isOptional }) => isOptional && !/\(default: |\babsent\b/iu.test(doc),
    );
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it("@waybill/core documents the default of every option", () => {
    const options = members.filter(({ path }) =>
      /^(?:\w*(?:Options|Definition)|Policy)\./u.test(path),
    );
    const silent = options.filter(
      ({ doc, isOptional }) => isOptional && !doc.includes("(default: "),
    );
    expect(options.length).toBeGreaterThan(70);
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it(`@waybill/core shows an example for its ${WITH_EXAMPLES} most used functions and classes`, () => {
    const uses = countUses();
    const callable = entry.filter(({ kind }) => kind === "function" || kind === "class");
    const most = callable
      .toSorted((one, other) => (uses.get(other.name) ?? 0) - (uses.get(one.name) ?? 0))
      .slice(0, WITH_EXAMPLES);
    expect(uses.get("createWaybill")).toBeGreaterThan(20);
    expect(most.filter(({ doc }) => !doc.includes("@example")).map(({ name }) => name)).toEqual([]);
  });

  it("the reference pages list every public name of @waybill/core", () => {
    const folder = join(root, "docs/reference/api");
    const pages = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
    const missing = all.filter(
      ({ name }) => !pages.some((page) => page.includes(`\n## ${name}\n`)),
    );
    expect(missing).toEqual([]);
  });
});
