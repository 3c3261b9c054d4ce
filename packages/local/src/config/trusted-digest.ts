import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { ConfigFile } from "./config.ts";
import type { SourceConfig } from "./source-config.ts";

const MAX_FILES = 5_000;

async function cardPaths(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names
    .filter((name) => /\.(?:ya?ml|graphql)$/.test(name))
    .toSorted()
    .slice(0, MAX_FILES)
    .map((name) => join(folder, name));
}

/** The files that say what a source does with what it is trusted with. */
async function filesOf(source: SourceConfig): Promise<string[]> {
  switch (source.kind) {
    case "cards":
      return cardPaths(source.folder);
    case "command":
      return [source.manifest];
    case "openapi":
      return isAbsolute(source.document) ? [source.document] : [];
    case "graphql":
      return [...(source.documents ?? []), ...(source.schema === undefined ? [] : [source.schema])];
    case "mcp":
    case "nats":
      return [];
  }
}

/**
 * Of the file, and of the cards, manifests and descriptions it names: they decide which programs are
 * run with which words and where a token goes, so they are trusted together or not at all.
 */
export async function trustedDigest({ digest, config }: ConfigFile): Promise<string> {
  const hash = createHash("sha256").update(digest);
  for (const source of Object.values(config.sources ?? {})) {
    for (const path of await filesOf(source)) {
      const content = await readFile(path).catch(() => "");
      hash.update(`\n${path}\n`).update(createHash("sha256").update(content).digest());
    }
  }
  return hash.digest("hex");
}
