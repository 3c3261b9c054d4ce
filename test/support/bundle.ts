import { mkdirSync, mkdtempSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { extname, basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import type { Plugin } from "rolldown";
import type { Mutant } from "../../scripts/mutants/find-mutants.ts";
import { root } from "../../scripts/run.mjs";

const THREAD = join(root, "packages/codegraph/src/build/workers/thread-main.ts");
/** Libraries stay where they are, but for one of which two packages have different versions. */
const LIBRARIES = /^(?!@waybill|waybill$|diff$)[a-z@]/u;

/** A new folder for bundles. It is within this repository, where they find libraries. */
export function makeBundleFolder(): string {
  const cache = join(root, "node_modules/.cache/waybill");
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, "bundles-"));
}

/** The change that `npm run mutants` tries, so that programs which tests start have it too. */
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

/** Modules find the files beside their source, wherever the bundle is; only threads are in it. */
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
 * Bundles a program from our source into such a folder, and returns the file that Node runs. Tests start programs many times, and Node 20 takes a second to load our TypeScript.
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
