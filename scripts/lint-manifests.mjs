// @ts-check
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseAllDocuments } from "yaml";

// Checks the manifests of Kubernetes with its published schemas: lint-manifests.mjs <cache>
const [cache = ""] = process.argv.slice(2);
const models = pathToFileURL(join(cache, "node_modules/kubernetes-models/")).href;
const folder = "deploy/kubernetes";
let checked = 0;
/**
 * @typedef {{ apiVersion: string, kind: string, metadata: { name: string } }} Manifest
 * @typedef {new (manifest: Manifest) => { validate(): void }} Model
 */
for (const file of readdirSync(folder).filter((name) => name !== "kustomization.yaml")) {
  const documents = parseAllDocuments(readFileSync(join(folder, file), "utf8"), { merge: true });
  for (const document of /** @type {import("yaml").Document[]} */ (documents)) {
    const manifest = /** @type {Manifest} */ (document.toJS());
    const { apiVersion, kind, metadata } = manifest;
    const found = /** @type {Record<string, Model | undefined>} */ (
      await import(`${models}${apiVersion}/index.js`)
    );
    const Model = found[kind];
    if (Model === undefined) throw new Error(`${file}: there is no ${kind} in ${apiVersion}`);
    try {
      new Model(manifest).validate();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${file}: ${kind} ${metadata.name}: ${why}`, { cause: error });
    }
    checked += 1;
  }
}
console.log(`${checked} manifests are valid`);
