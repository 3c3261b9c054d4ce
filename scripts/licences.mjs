// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

/** Licences that allow Waybill's use of a library. */
const ALLOWED =
  /^(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|Unlicense|CC0-1\.0|BlueOak-1\.0\.0|MPL-2\.0)$/;

/** @typedef {{ name: string, version: string, license: string, isCopied: boolean }} Library */
/** @typedef {{ name: string, version: string, purl?: string, licenses?: { license?: { id?: string, name?: string }, expression?: string }[] }} Component */
/** @typedef {{ components: Component[] }} Sbom */

/** The libraries that are bundled into our own files. @returns {Library[]} */
export function bundledLibraries() {
  const file = join(root, "node_modules/.cache/waybill/bundled.json");
  return /** @type {Library[]} */ (JSON.parse(readFileSync(file, "utf8")));
}

/** @param {Sbom} sbom @returns {Sbom} with the libraries that npm does not see */
export function withBundled(sbom) {
  const known = new Set(sbom.components.map(({ name }) => name));
  const added = bundledLibraries().filter(({ name }) => !known.has(name));
  const components = added.map(({ name, version, license }) => ({
    "bom-ref": `${name}@${version}`,
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [
      / (?:AND|OR) /.test(license) ? { expression: license } : { license: { id: license } },
    ],
  }));
  return { ...sbom, components: [...sbom.components, ...components] };
}

/** @param {Component} component */
function licenceName({ licenses = [] }) {
  const [first] = licenses;
  return first?.license?.id ?? first?.license?.name ?? first?.expression ?? "unknown";
}

/** @param {Sbom} sbom */
export function licenceList({ components }) {
  const rows = components
    .filter(({ name }) => name !== "waybill" && !name.startsWith("@waybill/"))
    .map((each) => `| ${each.name} | ${each.version} | ${licenceName(each)} |`)
    .toSorted();
  return [
    "# Licences of the libraries in a release",
    "",
    "| library | version | licence |",
    "| --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

/** @param {Sbom} sbom */
export function refusedLicences({ components }) {
  return components.filter((each) => !isAllowed(licenceName(each).replaceAll(/[()]/g, "")));
}

/** With a choice of licences, one allowed licence is enough. A person must check a mixture. @param {string} expression */
function isAllowed(expression) {
  if (!expression.includes(" OR ")) {
    return expression.split(" AND ").every((name) => ALLOWED.test(name));
  }
  return (
    expression.split(" OR ").some((name) => ALLOWED.test(name)) && !expression.includes(" AND ")
  );
}
