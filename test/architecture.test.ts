import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, describe, it } from "vitest";
import { root } from "../scripts/run.mjs";
import { readView, violationsIn } from "./support/architecture.ts";
import { readPackages } from "./support/packages.ts";
import { publicNames, starViolations } from "./support/public-names.ts";

const packages = readPackages(root);
const sources = packages.flatMap(({ path }) =>
  readdirSync(join(root, path, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|fixtures/.test(file))
    .map((file) => `${path}/src/${file}`),
);
const byName = packages.map((pack) => [pack.manifest.name, pack] as const);

/** The rules are in `.waybill/graph/layers.json`. Waybill's own code graph checks them. */
describe("code graph of this repository", () => {
  it("the code graph finds no violation of the layer rules in Waybill's repository", async () => {
    const view = await readView(root);
    expect(view.rules.forbidden?.length).toBeGreaterThan(10);
    expect(violationsIn(view, view.rules)).toEqual([]);
  });
});

/**
 * The built command contains several copies of core, and `instanceof` fails for a class of another
 * copy.
 */
describe("CallError", () => {
  it("the code recognises a CallError with isCallError, never with instanceof", () => {
    const found = sources.filter((file) =>
      readFileSync(join(root, file), "utf8").includes("instanceof CallError"),
    );
    expect(found).toEqual(["packages/core/src/envelope/call-error.ts"]);
  });
});

/**
 * Files that replace other files in their own way: caches, many files together, and a rotated log.
 */
const OTHER_WRITERS = [
  "packages/cli/src/code-cache/code-cache.ts",
  "packages/codegraph/src/build/cache/store.ts",
  "packages/codegraph/src/operations/apply-rename.ts",
  "packages/state/src/line-file.ts",
];

describe("state files", () => {
  it("only code in packages/state/src/files locks and replaces files", () => {
    const found = sources.filter((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const isRenaming = /import \{[^}]*\brename(?:Sync)?\b[^}]*\} from "node:fs/.test(text);
      return isRenaming || text.includes('flag: "wx"');
    });
    const others = found.filter((file) => !file.startsWith("packages/state/src/files/"));
    expect(others.toSorted()).toEqual(OTHER_WRITERS);
  });
});

describe("public names", () => {
  it("package entries export public names one by one, without export *", () => {
    expect(packages.flatMap(starViolations)).toEqual([]);
  });

  it.each(byName)("the package %s exports the promised names", (_name, pack) => {
    expect(publicNames(pack)).toMatchSnapshot();
  });
});
