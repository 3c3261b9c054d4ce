import { API_PAGES, renderApi } from "./generate-api.ts";
import { renderCapabilityTypes } from "./generate-capability-types.ts";
import { COMMAND_PAGES, renderCommand } from "./generate-command.ts";
import { renderConfiguration } from "./generate-configuration.ts";
import { renderEnvelopes } from "./generate-envelopes.ts";
import { renderErrors } from "./generate-errors.ts";
import { renderGithubDocs } from "./generate-github-docs.ts";
import { renderGithubMcpTools } from "./generate-github-mcp-tools.ts";
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

/** A file that `npm run generate` writes. */
export interface Generated {
  readonly path: string;
  readonly render: () => string | Promise<string>;
  /** Whether only programs read the file, so that it is not formatted. */
  readonly isData?: boolean;
}

/** The files that are made from the prepared pack. */
export const PAGES: readonly Generated[] = [
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
];
