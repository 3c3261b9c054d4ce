import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./tools.ts";

const FILES = {
  "package.json": '{ "name": "x" }',
  "logic.ts": "export default { data: () => ({}) };\n",
  "App.vue": '<script setup lang="ts">\nconst a = 1;\n</script>\n<template>{{ a }}</template>\n',
  "pic.svg": "<svg/>",
  "main.ts":
    'import App from "./App.vue";\nimport pic from "./pic.svg";\nimport out from "/out.css?inline";\nexport const used = [App, pic, out];\n',
};

function open(more: Readonly<Record<string, string>> = {}) {
  const root = temporaryTree({ ...FILES, ...more });
  const tools = openGraphTools({ root, patienceMs: 30_000 });
  onTestFinished(() => tools.close());
  const known = async (at: { path: string; line: number; column: number }) =>
    (await tools.call("references", at)).data.result;
  return { root, known };
}

const LOGIC = { path: "logic.ts", line: 1, column: 8 };
const MISSED = ["1 file imports the same name from a module that was not found"];

it("references to a default export are reported as complete (exact) although other files import the default export of a component or a picture", async () => {
  expect(await open().known(LOGIC)).toMatchObject({ completeness: "exact" });
});

it("references to a default export are reported as incomplete (a lower bound) if another file imports the default of a missing file", async () => {
  const { known } = open({
    "gone.ts": 'import gone from "./gone.vue";\nexport const its = gone;\n',
  });
  expect(await known(LOGIC)).toMatchObject({ completeness: "lower-bound", why: MISSED });
});

it("references to a default export are reported as incomplete (a lower bound) if an imported component has its script in another file", async () => {
  const { known } = open({ "App.vue": '<template/>\n<script src="./logic.ts"></script>\n' });
  expect(await known(LOGIC)).toMatchObject({ completeness: "lower-bound", why: MISSED });
});

it("references to a default export are reported as incomplete (a lower bound) after an edit gives an imported component a script in another file", async () => {
  const { root, known } = open();
  expect(await known(LOGIC)).toMatchObject({ completeness: "exact" });
  rmSync(join(root, "pic.svg"));
  writeFileSync(join(root, "App.vue"), '<template/>\n<script src="./logic.ts"></script>\n');
  expect(await known(LOGIC)).toMatchObject({ completeness: "lower-bound", why: MISSED });
});

it("references to a type are reported as complete (exact) although a file reads the type's module by computed names", async () => {
  const { known } = open({
    "shapes.ts": "export interface Box { a: 1 }\nexport const box: Box = { a: 1 };\n",
    "all.ts":
      'import * as shapes from "./shapes";\nexport const at = (name: "box") => shapes[name];\n',
  });
  expect(await known({ path: "shapes.ts", line: 1, column: 18 })).toMatchObject({
    completeness: "exact",
  });
  expect(await known({ path: "shapes.ts", line: 2, column: 14 })).toMatchObject({
    completeness: "lower-bound",
    why: ["1 file reads members by computed names, as in x[name]"],
  });
});

function script(from: string): string {
  return `<script setup>\nimport ${from} from "./logic";\n</script>\n`;
}

it("the word default in a template counts as a possible use of a default export only if the template's script imports the whole module", async () => {
  const template = "<template><p>{{ logic.default }}</p></template>\n";
  const near = open({ "Near.vue": `${script("logic")}${template}` });
  expect(await near.known(LOGIC)).toMatchObject({ completeness: "exact" });
  const whole = open({ "Whole.vue": `${script("* as logic")}${template}` });
  expect(await whole.known(LOGIC)).toMatchObject({
    completeness: "lower-bound",
    why: ["1 file that is not parsed mentions it"],
  });
});
