// @ts-check
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { root } from "./run.mjs";

// GitHub describes its REST API in @octokit/openapi, which is 385 MB: too much to depend on. This
// packs the one description of api.github.com, without its examples and webhooks, into the file
// that @waybill/github ships, and whole into the one that the corpus and the benchmark measure.
// Install the package somewhere else and name its folder:
//   npm run pack-description -- <folder of @octokit/openapi>
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Usage: npm run pack-description -- <folder of @octokit/openapi>");
  process.exitCode = 2;
} else {
  const { version } = readJson(join(folder, "package.json"));
  const description = readJson(join(folder, "generated/api.github.com.json"));
  const shipped = JSON.stringify(lean(description, String(version)), withoutExamples);
  pack("packages/github/generated/description.json.br", shipped);
  const measured = "packages/adapters/src/openapi/fixtures/github-description.json.br";
  pack(measured, JSON.stringify(description));
}

/**
 * @param {string} path
 * @param {string} text
 */
function pack(path, text) {
  const packed = compress(text);
  writeFileSync(join(root, path), packed);
  console.log(`${path}: ${packed.length} bytes`);
}

/**
 * @param {string} path
 * @returns {Record<string, unknown>}
 */
function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/**
 * @param {Record<string, unknown>} description
 * @param {string} version
 */
function lean({ "x-webhooks": _webhooks, components, ...rest }, version) {
  const { examples: _examples, ...kept } = /** @type {Record<string, unknown>} */ (components);
  return {
    ...rest,
    ...signed(kept),
    "x-packed-from": `@octokit/openapi@${version}`,
  };
}

/**
 * Adds the token, which GitHub's description does not mention, to every call.
 * @param {Record<string, unknown>} components
 */
function signed(components) {
  const securitySchemes = { token: { type: "http", scheme: "bearer" } };
  return { security: [{ token: [] }], components: { ...components, securitySchemes } };
}

/** @param {unknown} one */
function isExample(one) {
  return typeof one === "object" && one !== null && ("$ref" in one || "value" in one);
}

/**
 * Removes examples beside a schema, but not a property named "examples".
 * @param {string} key
 * @param {unknown} value
 */
function withoutExamples(key, value) {
  if (key !== "examples" || typeof value !== "object" || value === null) return value;
  return Object.values(value).every(isExample) ? undefined : value;
}

/** @param {string} text */
function compress(text) {
  return brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
    },
  });
}
