// @ts-check
// Checks whole answers of the code graph for `npm run codegraph:truth:tools`. The language tools know
// nothing of pages, manifests and git, so each case names the program that it compares with.
import { spawnSync } from "node:child_process";
import { openGraphTools } from "@waybill/codegraph";
import * as trees from "../../packages/codegraph/src/fixtures/tool-trees.ts";
import { difference, written } from "./tool-case.mjs";
import { TypeScriptOracle } from "./oracle-typescript.mjs";

/** @type {Record<string, () => Promise<string[]>>} */
export const ANSWER_CASES = {
  "TypeScript's resolver: every affected test, on all pages": affectedTests,
  "TypeScript's resolver: the number of files at each distance": filesAtDistances,
  "Python: imports that pyproject.toml lists": unlistedImports,
  "ctags: files that have symbols": filesWithSymbols,
  "git: files that a sparse checkout leaves out": sparseFiles,
  "git: submodules without files": emptySubmodule,
};

/**
 * All pages of an answer. @template T @param {string} root @param {string} name
 * @param {Record<string, unknown>} args @returns {Promise<T[]>}
 */
async function pages(root, name, args) {
  const tools = openGraphTools({ root, patienceMs: 60_000 });
  /** @type {T[]} */
  const found = [];
  /** @type {string | undefined} */
  let cursor;
  do {
    const reply = await tools.call(name, cursor === undefined ? args : { ...args, cursor });
    if (!reply.success) throw new Error(reply.data.result.error.message);
    /** @type {unknown} */
    const result = reply.data.result;
    found.push(/** @type {T} */ (result));
    cursor = reply.data.meta.page?.cursor;
  } while (cursor !== undefined);
  await tools.close();
  return found;
}

/**
 * The distance of each file that depends on a file.
 * @param {string} root @param {string} target @param {string[]} paths
 */
function distances(root, target, paths) {
  const edges = new TypeScriptOracle(root, paths).edges();
  const found = new Map([[target, 0]]);
  for (const [file, steps] of found) {
    for (const [from, targets] of edges) {
      if (targets.has(file) && !found.has(from)) found.set(from, steps + 1);
    }
  }
  found.delete(target);
  return found;
}

/** @param {Readonly<Record<string, string>>} files */
const codeOf = (files) => Object.keys(files).filter((path) => path.endsWith(".ts"));

async function affectedTests() {
  const root = written(trees.REACHED_TREE);
  const args = { target: "src/a.ts", include: ["affectedTests"], limit: 50 };
  /** @type {{ affectedTests: string[] }[]} */
  const found = await pages(root, "impact", args);
  const expected = distances(root, "src/a.ts", codeOf(trees.REACHED_TREE));
  return difference(
    found.flatMap(({ affectedTests: tests }) => tests),
    [...expected.keys()].filter((path) => path.includes(".test.")),
  );
}

async function filesAtDistances() {
  const root = written(trees.CHAIN_TREE);
  const paths = codeOf(trees.CHAIN_TREE);
  const wrong = [];
  for (const target of ["f0.ts", "f10.ts", "f18.ts", "f19.ts"]) {
    /** @type {{ riskAssessment: { reason: string, factors: string[] }, transitiveImpact: Record<string, number> }[]} */
    const [answer] = await pages(root, "impact", { target, depth: 3 });
    const { riskAssessment, transitiveImpact } = answer ?? fail(target);
    const steps = [...distances(root, target, paths).values()];
    /** @param {number} depth */
    const at = (depth) => steps.filter((each) => each === depth).length;
    const further = steps.filter((each) => each > 3).length;
    const expected = [
      ...[1, 2, 3].map((depth) => `depth${depth}: ${at(depth)}`),
      ...(further > 0 ? [`further: ${further}`] : []),
    ];
    const found = Object.entries(transitiveImpact).map(([name, count]) => `${name}: ${count}`);
    wrong.push(...difference(found, expected).map((line) => `${target}: ${line}`));
    const saysNone = riskAssessment.reason === "nothing depends on it";
    if (saysNone !== (steps.length === 0)) wrong.push(`${target}: ${riskAssessment.reason}`);
    const counts = riskAssessment.factors.filter((factor) => factor.includes("affected file"));
    wrong.push(...difference(counts, steps.length === 0 ? [] : [plural(steps.length)]));
  }
  return wrong;
}

/** @param {number} count */
const plural = (count) => `${count} affected file${count === 1 ? "" : "s"}`;

/** @param {string} what @returns {never} */
function fail(what) {
  throw new Error(`no answer about ${what}`);
}

const UNLISTED = `
import ast, sys, tomllib
declared = set(tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"])
for path in sys.argv[1:]:
    for node in ast.walk(ast.parse(open(path).read())):
        for name in getattr(node, "names", []):
            if name.name not in declared | sys.stdlib_module_names:
                print(name.name)
`;

/** Python reads the manifest and the imports, and knows the names of its own library. */
async function unlistedImports() {
  const root = written(trees.MIXED_TREE);
  const path = "tests/test_site.py";
  const expected = run("python3", root, ["-c", UNLISTED, path]);
  /** @type {{ issues: { file: string, summary: string }[] }[]} */
  const found = await pages(root, "issues", { kind: "UNLISTED_DEPENDENCY" });
  const issues = found.flatMap((page) => page.issues);
  const own = issues.filter(({ file }) => file.startsWith(path)).map(({ summary }) => summary);
  const hasScript = issues.some(({ file }) => file.startsWith("build.js"));
  return [...difference(own, expected), ...(hasScript ? [] : ["not the package of build.js"])];
}

/** A file in which ctags finds symbols has them in the answer too, or the answer says why not. */
async function filesWithSymbols() {
  const root = written(trees.LANGUAGES_TREE);
  const files = Object.keys(trees.LANGUAGES_TREE);
  const tagged = run("ctags", root, ["-f", "-", ...files]).filter((line) => !line.startsWith("!"));
  const wrong = [];
  for (const path of files) {
    const names = tagged.map((line) => line.split("\t")).filter(([, file]) => file === path);
    /** @type {{ symbols: Symbol[], completeness?: string }[]} */
    const [answer] = await pages(root, "symbols", { target: path });
    const { symbols, completeness } = answer ?? fail(path);
    if (symbols.length === 0 && names.length > 0 && completeness !== "lower-bound") {
      wrong.push(`${path} seems to be empty`);
    }
    if (symbols.length === 0) continue;
    const lines = difference(
      withChildren(symbols),
      names.map(([name = ""]) => name),
    );
    wrong.push(...lines.map((line) => `${path}: ${line}`));
  }
  const missing = await pages(root, "symbols", { target: "a.zig" }).catch(String);
  if (typeof missing !== "string") wrong.push("a missing file has an answer");
  return wrong;
}

/** @typedef {{ name: string, children?: Symbol[] }} Symbol */
/** @param {readonly Symbol[]} symbols @returns {string[]} */
function withChildren(symbols) {
  return symbols.flatMap(({ name, children = [] }) => [name, ...withChildren(children)]);
}

async function sparseFiles() {
  const root = repository(trees.PARTIAL_TREE);
  const wrong = [];
  for (const folders of [["src"], ["apps", "src"]]) {
    git(root, "sparse-checkout", "set", ...folders);
    const absent = git(root, "ls-files", "-t").filter((line) => line.startsWith("S ")).length;
    /** @type {{ completeness: string, why?: string[] }[]} */
    const [answer] = await pages(root, "impact", { target: "src/a.ts" });
    const { completeness, why = [] } = answer ?? fail("src/a.ts");
    const expected = absent === 0 ? [] : [`a sparse checkout leaves out ${absent} files`];
    wrong.push(...difference(why, expected));
    if ((completeness === "exact") !== (absent === 0))
      wrong.push(`${folders.join()} is ${completeness}`);
  }
  return wrong;
}

async function emptySubmodule() {
  const inner = repository({ "own.ts": "export const own = 1;\n" });
  const root = repository(trees.PARTIAL_TREE);
  git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "vendor/own");
  git(root, "submodule", "deinit", "-q", "-f", "vendor/own");
  const names = git(root, "submodule", "status").map((line) => line.split(" ")[1] ?? "");
  /** @type {{ completeness: string, why?: string[] }[]} */
  const [answer] = await pages(root, "impact", { target: "src/a.ts" });
  const { completeness, why = [] } = answer ?? fail("src/a.ts");
  const expected = names.map((name) => `nested repositories are not read: ${name}`);
  return [
    ...difference(why, expected),
    ...(completeness === "exact" ? ["it is exact without the submodule"] : []),
  ];
}

/** @param {Readonly<Record<string, string>>} files */
function repository(files) {
  const root = written(files);
  git(root, "init", "-q");
  git(root, "add", ".");
  git(root, "commit", "-qm", "one");
  return root;
}

/** @param {string} root @param {string[]} args */
function git(root, ...args) {
  return run("git", root, ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args]);
}

/** @param {string} program @param {string} root @param {string[]} args */
function run(program, root, args) {
  const { stdout, stderr, status } = spawnSync(program, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout.split("\n").filter((line) => line !== "");
}
