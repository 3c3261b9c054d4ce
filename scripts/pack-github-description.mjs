// @ts-check
// node scripts/pack-github-description.mjs <api.github.com.json>
// Packs GitHub's description (npm @octokit/openapi, generated/api.github.com.json) for the tests,
// the sample of the corpus and the benchmark, which then need no download of 385 MB.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { root } from "./run.mjs";

const [file] = process.argv.slice(2);
const target = join(root, "packages/adapters/src/openapi/fixtures/github-description.json.br");

if (file === undefined) {
  console.error("which file? npm's @octokit/openapi has generated/api.github.com.json");
  process.exitCode = 2;
} else {
  const compact = JSON.stringify(JSON.parse(readFileSync(file, "utf8")));
  const packed = brotliCompressSync(compact, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: compact.length,
    },
  });
  writeFileSync(target, packed);
  console.log(`${compact.length} characters in ${packed.length} bytes`);
}
