// @ts-check
// What the cases of `npm run codegraph:truth:tools` share.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** @param {Readonly<Record<string, string>>} files */
export function written(files) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "waybill-tool-")));
  process.on("exit", () => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** @param {readonly string[]} found @param {readonly string[]} expected */
export function difference(found, expected) {
  return [
    ...found.filter((each) => !expected.includes(each)).map((each) => `also ${each}`),
    ...expected.filter((each) => !found.includes(each)).map((each) => `not ${each}`),
  ];
}
