import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import type { Plugin } from "rolldown";
import { root } from "../../scripts/run.mjs";

const THREAD = join(root, "packages/codegraph/src/build/workers/thread-main.ts");
/** Libraries stay where they are, but for one of which two packages have different versions. */
const LIBRARIES = /^(?!@waybill|waybill$|diff$)[a-z@]/u;

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
 * Bundles a program from our source into a folder within this repository, and returns the file that
 * Node runs. Tests start programs many times, and Node 20 takes a second to load our TypeScript.
 */
export async function bundleProgram(entry: URL, folder: string): Promise<string> {
  const source = fileURLToPath(entry);
  const name = basename(source, ".ts");
  const bundle = await rolldown({
    input: { [name]: source, "thread-main": THREAD },
    platform: "node",
    external: LIBRARIES,
    resolve: { conditionNames: ["@waybill/source", "import", "node", "default"] },
    plugins: [keepPlaces()],
    logLevel: "silent",
  });
  await bundle.write({ dir: folder, format: "esm" });
  await bundle.close();
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  return join(folder, `${name}.js`);
}
