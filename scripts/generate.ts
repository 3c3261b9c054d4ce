import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { renderCardRecords, renderCards } from "./generate-cards.ts";
import { renderDocuments } from "./generate-documents.ts";
import { renderToolNames } from "./generate-github-mcp-tools.ts";
import { renderGithubOperations } from "./generate-github-operations.ts";
import type { Generated } from "./generate-pages.ts";
import { root } from "./run.mjs";

/** The prepared pack. The other files are made from it. */
const PACK: readonly Generated[] = [
  { path: "packages/github/src/generated/cards.ts", render: renderCards },
  { path: "packages/github/generated/cards.ndjson", render: renderCardRecords, isData: true },
  { path: "packages/github/src/generated/documents.ts", render: renderDocuments },
  { path: "packages/github/src/generated/tool-names.ts", render: renderToolNames },
  {
    path: "packages/github/generated/operations.json",
    render: renderGithubOperations,
    isData: true,
  },
];

const MAX_BYTES = 64 * 1024 * 1024;

const work = process.argv.includes("--check") ? checkGenerated : writeGenerated;
const only = process.argv.find((arg) => arg.startsWith("--only="))?.slice("--only=".length) ?? "";
for (const file of PACK) if (file.path.startsWith(only)) await work(file);
// Imported late, because these modules read the pack when they are loaded.
const { PAGES } = await import("./generate-pages.ts");
for (const file of PAGES) if (file.path.startsWith(only)) await work(file);

async function checkGenerated(file: Generated): Promise<void> {
  if (readIfPresent(join(root, file.path)) === (await formatted(file))) return;
  console.error(`${file.path} is out of date: run "npm run generate" and commit the result.`);
  process.exitCode = 1;
}

async function writeGenerated(file: Generated): Promise<void> {
  const target = join(root, file.path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, await formatted(file));
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Generated files are formatted like hand-written ones, so the format check covers them too. */
async function formatted({ path, render, isData = false }: Generated): Promise<string> {
  if (isData) return render();
  const oxfmt = join(root, "node_modules/.bin/oxfmt");
  return execFileSync(oxfmt, [`--stdin-filepath=${path}`], {
    cwd: root,
    encoding: "utf8",
    input: await render(),
    maxBuffer: MAX_BYTES,
  });
}
