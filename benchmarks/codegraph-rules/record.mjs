// @ts-check
// node benchmarks/codegraph-rules/record.mjs
// Records which dependencies violate each rule of the fixture, as dependency-cruiser reports them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installed } from "../lib/peer-programs.mjs";

const NAME = "dependency-cruiser";
const VERSION = "17.4.3";
const FIXTURE = fileURLToPath(
  new URL("../../packages/codegraph/src/rules/fixtures/rule-forms.json", import.meta.url),
);
const RULES_FILE = ".waybill/graph/layers.json";

/** @typedef {{ valid: boolean, resolved: string }} Dependency */
/** @typedef {{ source: string, dependencies: Dependency[] }} Module */
/** @typedef {{ from: string, to: string }} Found */
/** @typedef {{ output: { modules: Module[], summary: { violations: Found[] } } }} Cruised */
/** @typedef {{ cruise: (files: string[], options: object) => Promise<Cruised> }} Cruiser */
/** @typedef {{ form: string, cruiser: object, ours: object, violations: string[] }} Case */
/** @typedef {{ cruiser: string, files: Record<string, string>, cases: Case[] }} Fixture */

const packages = [`${NAME}@${VERSION}`, "typescript@5.9.3"];
const program = installed({ packages, bin: "depcruise" });
if (program === undefined) throw new Error(`${NAME} ${VERSION} could not be installed`);
const entry = join(dirname(dirname(program)), NAME, "src/main/index.mjs");
const { cruise } = /** @type {Cruiser} */ (await import(pathToFileURL(entry).href));

const fixture = /** @type {Fixture} */ (JSON.parse(readFileSync(FIXTURE, "utf8")));
const root = mkdtempSync(join(tmpdir(), "waybill-rules-"));
process.chdir(root);
for (const [path, text] of Object.entries(fixture.files)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
const cases = [];
for (const each of fixture.cases) {
  cases.push({ ...each, violations: await getViolations(each.cruiser) });
}
process.chdir("/");
rmSync(root, { recursive: true });
const text = JSON.stringify({ ...fixture, cruiser: `${NAME} ${VERSION}`, cases }, undefined, 2);
writeFileSync(FIXTURE, `${text}\n`);

/** @param {object} ruleSet @returns {Promise<string[]>} */
async function getViolations(ruleSet) {
  const names = /** @type {{ exoticRequireStrings: string[] }} */ (
    JSON.parse(fixture.files[RULES_FILE] ?? "{}")
  );
  const { output } = await cruise(["src"], {
    validate: true,
    ruleSet,
    ...names,
    tsPreCompilationDeps: "specify",
    doNotFollow: { path: "node_modules" },
  });
  // The summary lists each cycle once, but all dependencies that violate the rule are marked.
  const marked = output.modules.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ valid }) => !valid)
      .map(({ resolved }) => ({ from: source, to: resolved })),
  );
  const found = [...output.summary.violations, ...marked];
  return [...new Set(found.map(({ from, to }) => `${from} -> ${getPackage(to)}`))].toSorted();
}

/** For installed code, dependency-cruiser names the file and Waybill names the package. */
function getPackage(path) {
  return path.replace(/^(node_modules\/(?:@[^/]+\/)?[^/]+)\/.*$/u, "$1");
}
