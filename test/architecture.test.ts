import { describe, expect, it } from "vitest";
import { root } from "../scripts/run.mjs";
import { folderViolations, nodeViolations } from "./support/core-rules.ts";
import { cycleViolations } from "./support/cycles.ts";
import {
  escapeViolations,
  layerViolations,
  undeclaredViolations,
} from "./support/package-rules.ts";
import { readPackages } from "./support/packages.ts";
import { publicNames, starViolations } from "./support/public-names.ts";

const packages = readPackages(root);
const byName = packages.map((pack) => [pack.manifest.name, pack] as const);
const core = packages.filter(({ folder }) => folder === "core");

describe("packages", () => {
  it("import only packages below them", () => {
    expect(layerViolations(packages)).toEqual([]);
  });

  it("declare every package they import", () => {
    expect(undeclaredViolations(packages)).toEqual([]);
  });

  it("reach each other by name", () => {
    expect(escapeViolations(packages)).toEqual([]);
  });

  it("have no import cycles", () => {
    expect(packages.flatMap(cycleViolations)).toEqual([]);
  });
});

describe("core", () => {
  it("keeps its folders in order, each behind its index.ts", () => {
    expect(core.flatMap(folderViolations)).toEqual([]);
  });

  it("uses no Node module", () => {
    expect(core.flatMap(nodeViolations)).toEqual([]);
  });
});

describe("public names", () => {
  it("are listed one by one", () => {
    expect(packages.flatMap(starViolations)).toEqual([]);
  });

  it.each(byName)("of %s are the promised ones", (_name, pack) => {
    expect(publicNames(pack)).toMatchSnapshot();
  });
});
