// @ts-check
// npm run codegraph:truth:tools [-- <part of a case's name>]
// Checks the trees of `tool-trees.ts` with the tools that know better: Nuxt, Jest, Rolldown,
// TypeScript, Python, ctags and git. The tests of the code graph expect the same.
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { rolldown } from "rolldown";
import * as trees from "../../packages/codegraph/src/fixtures/tool-trees.ts";
import { newerProgram } from "../../scripts/node-from-npm.mjs";
import { ANSWER_CASES } from "./answers.mjs";
import { difference, written } from "./tool-case.mjs";
import { TypeScriptOracle } from "./oracle-typescript.mjs";

const NUXT = "4.5.2";
const JEST = "30.5.2";
const PROVIDED =
  /(?:export (?:type )?\{([^}]*)\}|const (\w+): typeof) ?(?:from|import\() ?['"]([^'"]+)/gu;
const COMPONENT = /export const (\w+): (?:typeof )?import\("([^"]+)"\)/gu;

/** @type {Record<string, () => Promise<string[]>>} */
const CASES = {
  "Rolldown: a require that a function declares": bundledRequests,
  "Jest: tests that settings connect with a file": relatedTests,
  "Nuxt: names without an import": providedNames,
  "TypeScript: what has a call hierarchy": calledSymbols,
  ...ANSWER_CASES,
};

const [wanted = ""] = process.argv.slice(2);
for (const [name, check] of Object.entries(CASES)) {
  if (!name.includes(wanted)) continue;
  const wrong = await check();
  console.log(`${wrong.length === 0 ? "ok  " : "FAIL"} ${name}`);
  for (const line of wrong) console.log(`     ${line}`);
  if (wrong.length > 0) process.exitCode = 1;
}

/**
 * Runs a program from npm in a tree.
 * @param {string} name @param {string} version @param {string} entry @param {string} root
 * @param {string[]} args
 */
function runIn(name, version, entry, root, args) {
  const { cache, program, runtime, reason } = newerProgram(
    `${name}-${version}`,
    `${name}@${version}`,
    entry,
  );
  if (reason !== undefined) throw new Error(reason);
  symlinkSync(join(cache, "node_modules"), join(root, "node_modules"));
  const { stdout, stderr, status } = spawnSync(runtime, [program, ...args], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NUXT_TELEMETRY_DISABLED: "1", CI: "1" },
  });
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

async function bundledRequests() {
  const root = written(trees.BUNDLED_TREE);
  /** @type {string[]} */
  const requests = [];
  const bundle = await rolldown({
    input: ["vendor.js", "own.js"].map((path) => join(root, path)),
    plugins: [
      {
        name: "requests",
        resolveId(specifier, importer) {
          if (importer !== undefined) requests.push(`${relative(root, importer)} ${specifier}`);
          return null;
        },
      },
    ],
  });
  await bundle.generate();
  await bundle.close();
  return difference(requests, ["own.js ./real"]);
}

async function relatedTests() {
  const root = written(trees.JEST_TREE);
  const args = ["--listTests", "--findRelatedTests", "lib/my-utils.js"];
  const listed = runIn("jest", JEST, "jest/bin/jest.js", root, args);
  const found = listed.split("\n").filter((line) => line !== "");
  return difference(
    found.map((path) => relative(root, path)),
    trees.JEST_TESTS,
  );
}

/** Nuxt writes a list of the names that it provides. */
async function providedNames() {
  const root = written(trees.NUXT_TREE);
  runIn("nuxt", NUXT, "nuxt/bin/nuxt.mjs", root, ["prepare"]);
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const list of ["imports.d.ts", "components.d.ts", "types/nitro-imports.d.ts"]) {
    const folder = dirname(join(root, ".nuxt", list));
    const text = readFileSync(join(root, ".nuxt", list), "utf8");
    for (const [, names, one, path = ""] of text.matchAll(PROVIDED)) {
      for (const each of (names ?? one ?? "").split(",")) {
        const name = each.replace(/^.*\bas /u, "").trim();
        files.set(name, relative(root, resolve(folder, path)));
      }
    }
    for (const [, name = "", path = ""] of text.matchAll(COMPONENT)) {
      files.set(name, relative(root, resolve(folder, path)));
    }
  }
  const found = [...files].filter(([, path]) => /^(?:app|server|shared)\//u.test(path));
  return difference(
    found
      .map(([name, path]) => `${name} ${path.replace(/(?<!\.vue)(?:\.ts)?$/u, "")}`)
      .filter((line) => !line.startsWith("Lazy")),
    Object.entries(trees.NUXT_NAMES).map(([name, path]) => `${name} ${path.replace(/\.ts$/u, "")}`),
  );
}

async function calledSymbols() {
  const root = written(trees.CALLS_TREE);
  const oracle = new TypeScriptOracle(root, Object.keys(trees.CALLS_TREE));
  return Object.entries(trees.WITH_CALLS).flatMap(([name, isExpected]) =>
    oracle.hasCalls("a.ts", name) === isExpected ? [] : [`${name}: not ${isExpected}`],
  );
}
