import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { git, temporaryTree } from "../build/testing/temporary-tree.ts";
import { RULES_FILE } from "../settings/index.ts";
import { openGraphTools } from "./index.ts";
import type { GraphTools } from "./index.ts";

const RULE = { name: "no-need", severity: "error", to: { exoticallyRequired: true } };
const rules = (...names: string[]): string =>
  JSON.stringify({ forbidden: [RULE], exoticRequireStrings: names });

function open(layers: string | undefined): GraphTools & { root: string } {
  const root = temporaryTree({
    "src/main.js": "const b = need('./b.js');\nb.foo();\n",
    "src/b.js": "export const foo = () => 1;\n",
    ...(layers !== undefined && { [RULES_FILE]: layers }),
  });
  const tools = openGraphTools({ root, patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return { ...tools, root };
}

it("the code graph reports files that a forbidden require function loads, and applies changed names of require functions at once", async () => {
  const tools = open(rules("need"));
  const violation = { sourceFile: "src/main.js", targetFile: "src/b.js", line: 1 };
  const check = async () => (await tools.call("layers", { action: "check" })).data.result;
  expect(await check()).toMatchObject({ violations: [violation] });
  const impact = await tools.call("impact", { target: "src/b.js" });
  expect(JSON.stringify(impact.data.result)).toContain("src/main.js");
  writeFileSync(join(tools.root, RULES_FILE), rules("load"));
  expect(await check()).toMatchObject({ violations: [] });
});

it.each([
  ["that did not exist", ""],
  ["that git ignores", ".waybill\n"],
])("the code graph applies a rules file %s as soon as the file is written", async (_, ignored) => {
  const tools = open(undefined);
  const { root } = tools;
  writeFileSync(join(root, ".gitignore"), ignored);
  git(root, "init", "-q");
  const check = async () => (await tools.call("layers", { action: "check" })).data.result;
  for (let asked = 0; asked < 3; asked++) expect(await check()).toMatchObject({ violations: [] });
  mkdirSync(dirname(join(root, RULES_FILE)), { recursive: true });
  writeFileSync(join(root, RULES_FILE), rules("need"));
  expect(await check()).toMatchObject({ violations: [{ targetFile: "src/b.js" }] });
});

it("the code graph finds uses of a symbol through a require function that the rules file names", async () => {
  const impact = await open(rules("need")).call("impact", { target: "src/b.js#foo" });
  expect(JSON.stringify(impact.data.result)).toContain("src/main.js");
});

it("the code graph reports no new issue for old code when the rules file names require functions later", async () => {
  const tools = open("{}");
  const { root } = tools;
  git(root, "init", "-q");
  git(root, "add", ".");
  git(root, "commit", "-q", "-m", "first");
  await tools.call("changes", { since: "HEAD" });
  writeFileSync(join(root, RULES_FILE), rules("need"));
  writeFileSync(join(root, "src/main.js"), "const b = need('./b.js');\nb.foo(1);\n");
  const { result } = (await tools.call("changes", { since: "HEAD" })).data;
  // The cached graph of the commit was built with other loading functions.
  expect(result).toMatchObject({ newIssues: [], newIssuesTotal: 0 });
});

it.each([
  [
    "a rules file that needs require functions but names none",
    JSON.stringify({ forbidden: [RULE] }),
    {},
    "none is configured",
  ],
  ["a rules file with an invalid function name", rules("ne ed"), {}, "is not a function name"],
  ["a rules file that names require itself", rules("require"), {}, "is not a function name"],
  [
    "a rule about a function that is not configured",
    rules("need"),
    { forbidden: [{ name: "r", to: { exoticRequire: "nede" } }] },
    "is not one of the configured functions need",
  ],
  [
    "rules in a call that need require functions, if none is configured",
    "{}",
    { forbidden: [RULE] },
    "none is configured",
  ],
  [
    "rules in a call that name a require function with which the files were not read",
    rules("need"),
    { exoticRequireStrings: ["load"] },
    "load was not one of the loading functions when the files were read",
  ],
])("the code graph rejects, with a clear message, %s", async (_, layers, given, message) => {
  const { data } = await open(layers).call("layers", { action: "check", rules: given });
  expect(data.result).toMatchObject({ error: { code: "INVALID_INPUT" } });
  expect(JSON.stringify(data.result)).toContain(message);
});
