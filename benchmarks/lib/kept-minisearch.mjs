// @ts-check
// node kept-minisearch.mjs write <folder> <index>: indexes the operations of descriptions.
// node kept-minisearch.mjs search <index> <words>: loads the index, and searches.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import MiniSearch from "minisearch";

const OPTIONS = { fields: ["id", "text"], storeFields: ["id", "text"] };
const METHODS = ["get", "put", "post", "delete", "patch", "head", "options"];

const [task, ...words] = process.argv.slice(2);
if (task === "write") await write(words[0] ?? "", words[1] ?? "");
else console.log(JSON.stringify(search(words[0] ?? "", words[1] ?? "")));

/**
 * @typedef {{ operationId?: string, summary?: string, description?: string }} Operation
 * @typedef {{ paths?: Record<string, Record<string, Operation | undefined> | null> }} Description
 */

/** @param {string} folder @param {string} file */
async function write(folder, file) {
  const { parse } = await import("yaml");
  const index = new MiniSearch(OPTIONS);
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), "utf8");
    const { paths = {} } = /** @type {Description} */ (parse(text, { maxAliasCount: -1 }));
    for (const [path, item] of Object.entries(paths)) {
      for (const method of METHODS) {
        const operation = item?.[method];
        if (operation === undefined) continue;
        const { operationId = `${method} ${path}`, summary = "", description = "" } = operation;
        const id = `${name}.${operationId}`;
        if (!index.has(id)) index.add({ id, text: `${summary} ${description}`.slice(0, 300) });
      }
    }
  }
  writeFileSync(file, JSON.stringify(index));
}

/** @param {string} file @param {string} query */
function search(file, query) {
  const index = MiniSearch.loadJSON(readFileSync(file, "utf8"), OPTIONS);
  return index.search(query, { prefix: true, fuzzy: 0.2 }).slice(0, 5);
}
