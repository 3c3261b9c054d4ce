import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { API_PAGES, renderApi } from "./generate-api.ts";
import { renderCapabilityTypes } from "./generate-capability-types.ts";
import { renderCardRecords, renderCards } from "./generate-cards.ts";
import { COMMAND_PAGES, renderCommand } from "./generate-command.ts";
import { renderConfiguration } from "./generate-configuration.ts";
import { renderDocuments } from "./generate-documents.ts";
import { renderEnvelopes } from "./generate-envelopes.ts";
import { renderErrors } from "./generate-errors.ts";
import { renderGithubDocs } from "./generate-github-docs.ts";
import { renderGithubMcpTools, renderToolNames } from "./generate-github-mcp-tools.ts";
import { renderGithubOperations } from "./generate-github-operations.ts";
import { renderLayers } from "./generate-layers.ts";
import {
  renderClientVersion,
  renderMarketplace,
  renderPlugin,
  renderPluginServers,
  renderPluginSkill,
  renderServerJson,
} from "./generate-plugin.ts";
import { renderSettling } from "./generate-settling.ts";
import { renderSkill } from "./generate-skill.ts";
import { root } from "./run.mjs";

interface Generated {
  readonly path: string;
  readonly render: () => string | Promise<string>;
  /** Whether only programs read the file, so that it is not formatted. */
  readonly isData?: boolean;
}

const generated: readonly Generated[] = [
  { path: ".claude-plugin/marketplace.json", render: renderMarketplace },
  { path: "plugin/.claude-plugin/plugin.json", render: renderPlugin },
  { path: "plugin/.mcp.json", render: renderPluginServers },
  { path: "plugin/skills/waybill/SKILL.md", render: renderPluginSkill },
  { path: "server.json", render: renderServerJson },
  { path: ".waybill/graph/layers.json", render: renderLayers },
  { path: "docs/reference/api.md", render: renderApi },
  ...API_PAGES,
  { path: "docs/reference/command.md", render: renderCommand },
  ...COMMAND_PAGES,
  { path: "docs/reference/configuration.md", render: renderConfiguration },
  { path: "docs/reference/envelopes.json", render: renderEnvelopes },
  { path: "docs/reference/errors.md", render: renderErrors },
  { path: "docs/reference/github-capabilities.md", render: renderGithubDocs },
  { path: "docs/reference/github-mcp-tools.md", render: renderGithubMcpTools },
  { path: "docs/reference/github-settling.md", render: renderSettling },
  { path: "docs/reference/skill.md", render: () => renderSkill("lean") },
  { path: "docs/reference/skill-indexed.md", render: () => renderSkill("indexed") },
  { path: "packages/cli/src/generated/pack-capabilities.ts", render: renderCapabilityTypes },
  { path: "packages/mcp/src/client/version.ts", render: renderClientVersion },
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
for (const file of generated) if (file.path.startsWith(only)) await work(file);

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
