import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readManifest } from "./read-manifest.ts";

const anchors = Array.from({ length: 8 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n},*a${n},*a${n}]`);

it.each([
  ["an alias of nothing", "program: *x\n", "Unresolved alias"],
  ["aliases that multiply", ["a0: &a0 x", ...anchors].join("\n"), "too many YAML aliases"],
])("readManifest refuses %s and names the file", async (_name, content, why) => {
  const folder = await mkdtemp(join(tmpdir(), "waybill-manifest-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "tool.yaml");
  await writeFile(path, content);
  await expect(readManifest(path)).rejects.toThrow(`${path}: `);
  await expect(readManifest(path)).rejects.toThrow(why);
});
