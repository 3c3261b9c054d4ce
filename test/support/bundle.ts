import { mkdirSync, mkdtempSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { extname, basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import type { Plugin } from "rolldown";
import type { Mutant } from "../../scripts/mutants/find-mutants.ts";
import { root } from "../../scripts/run.mjs";

const THREAD = join(root, "packages/codegraph/src/build/workers/thread-main.ts");
/** Libraries are not bundled, except one that two packages use in different versions. */
const LIBRARIES = /^(?!@waybill|waybill$|diff$)[a-z@]/u;

/** Creates a folder for bundles inside this repository, so that bundles find their libraries. */
export function makeBundleFolder(): string {
  const cache = join(root, "node_modules/.cache/waybill");
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, "bundles-"));
}

/**
 * The code change that `npm run mutants` is testing, so that programs started by tests have it too.
 */
function activeMutant(): Plugin {
  const given = process.env["WAYBILL_MUTANT"];
  const mutant = given === undefined ? undefined : (JSON.parse(given) as Mutant);
  return {
    name: "active-mutant",
    transform(code, id) {
      if (mutant === undefined || id !== join(root, mutant.file)) return undefined;
      const { start, end, replacement } = mutant;
      return { code: code.slice(0, start) + replacement + code.slice(end), map: null };
    },
  };
}

/** Bundled modules still find the files beside their source. Only worker threads are bundled. */
function keepPlaces(): Plugin {
  return {
    name: "keep-places",
    transform(code, id) {
      if (!code.includes("import.meta.url") || id.endsWith("/threads.ts")) return undefined;
      const own = JSON.stringify(pathToFileURL(id).href);
      return { code: code.replaceAll(/(?<!["'`])import\.meta\.url(?!["'`])/gu, own), map: null };
    },
  };
}

/**
 * Bundles a program from our source into such a folder, and returns the file for Node. Tests start
 * programs many times, and Node 20 needs a second to load our TypeScript.
 */
export async function bundleProgram(entry: URL, folder: string): Promise<string> {
  const source = fileURLToPath(entry);
  const name = basename(source, extname(source));
  const bundle = await rolldown({
    input: { [name]: source, "thread-main": THREAD },
    platform: "node",
    external: LIBRARIES,
    resolve: { conditionNames: ["@waybill/source", "import", "node", "default"] },
    plugins: [activeMutant(), keepPlaces()],
    logLevel: "silent",
  });
  await bundle.write({ dir: folder, format: "esm" });
  await bundle.close();
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  return join(folder, `${name}.js`);
}
