import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { git, temporaryTree } from "../build/testing/temporary-tree.ts";
import { RULES_FILE } from "../settings/index.ts";
import { openGraphTools } from "./index.ts";
import type { GraphTools } from "./index.ts";

const RULE = { name: "no-need", severity: "error", to: { exoticRequire: "need" } };
const rules = (...names: string[]): string =>
  JSON.stringify({ forbidden: [RULE], exoticRequireStrings: names });

function open(layers: string): GraphTools & { root: string } {
  const root = temporaryTree({
    "src/main.js": "const b = need('./b.js');\nb.foo();\n",
    "src/b.js": "export const foo = () => 1;\n",
    [RULES_FILE]: layers,
  });
  const tools = openGraphTools({ root, patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return { ...tools, root };
}

it("a rule about a function finds what it loads, and other names take effect at once", async () => {
  const tools = open(rules("need"));
  const violation = { sourceFile: "src/main.js", targetFile: "src/b.js", line: 1 };
  const check = async () => (await tools.call("layers", { action: "check" })).data.result;
  expect(await check()).toMatchObject({ violations: [violation] });
  const impact = await tools.call("impact", { target: "src/b.js" });
  expect(JSON.stringify(impact.data.result)).toContain("src/main.js");
  writeFileSync(join(tools.root, RULES_FILE), rules("load"));
  expect(await check()).toMatchObject({ violations: [] });
});

it("what was so before is no news when the functions are named later", async () => {
  const tools = open("{}");
  const { root } = tools;
  git(root, "init", "-q");
  git(root, "add", ".");
  git(root, "commit", "-q", "-m", "first");
  writeFileSync(join(root, RULES_FILE), rules("need"));
  writeFileSync(join(root, "src/main.js"), "const b = need('./b.js');\nb.foo(1);\n");
  const { result } = (await tools.call("changes", { since: "HEAD" })).data;
  expect(result).toMatchObject({ newIssues: [], newIssuesTotal: 0 });
});

it.each([
  ["a file that names no function", JSON.stringify({ forbidden: [RULE] }), {}, "none is named"],
  ["a file that names nonsense", rules("ne ed"), {}, "/exoticRequireStrings/0"],
  ["given rules without functions", "{}", { forbidden: [RULE] }, "none is named"],
  [
    "given rules with others",
    rules("need"),
    { exoticRequireStrings: ["load"] },
    "files are not read by load",
  ],
])("%s is refused with a sentence", async (_, layers, given, message) => {
  const { data } = await open(layers).call("layers", { action: "check", rules: given });
  expect(data.result).toMatchObject({ error: { code: "INVALID_INPUT" } });
  expect(JSON.stringify(data.result)).toContain(message);
});
