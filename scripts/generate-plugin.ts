import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DESCRIPTION, SKILL_HEAD } from "../packages/cli/src/setup/skill-file.ts";
import { frontMatter } from "../packages/cli/src/setup/own-file.ts";
import { skillText } from "../packages/cli/src/skill/index.ts";
import { root } from "./run.mjs";

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly mcpName: string;
  readonly keywords: readonly string[];
  readonly repository: { readonly url: string };
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")) as Manifest;
}

function webAddress({ repository }: Manifest): string {
  return repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const OWNER = { name: "Waybill contributors" };

/** The manifest of the plugin for Claude Code. */
export function renderPlugin(): string {
  const { version, license, keywords, ...rest } = manifest();
  const repository = webAddress({ version, license, keywords, ...rest });
  const description = DESCRIPTION;
  return json({
    name: "waybill",
    version,
    description,
    author: OWNER,
    repository,
    license,
    keywords,
  });
}

/** The list of plugins in this repository, which Claude Code adds as a marketplace. */
export function renderMarketplace(): string {
  const plugin = { name: "waybill", source: "./plugin", description: DESCRIPTION };
  const metadata = { description: "Waybill for Claude Code", version: manifest().version };
  return json({ name: "waybill", owner: OWNER, metadata, plugins: [plugin] });
}

export function renderPluginServers(): string {
  const args = ["-y", `waybill@${manifest().version}`, "serve", "mcp", "--brief"];
  return json({ mcpServers: { waybill: { command: "npx", args } } });
}

export function renderPluginSkill(): string {
  return [...frontMatter(SKILL_HEAD), skillText({ form: "indexed", door: "mcp" }), ""].join("\n");
}

/** The version of the MCP client, because a bundled client has no manifest beside it. */
export function renderClientVersion(): string {
  const head =
    "/** The version that Waybill sends to MCP servers. `npm run generate` writes it. */";
  return `${head}\nexport const VERSION = ${JSON.stringify(manifest().version)};\n`;
}

/** The entry of the MCP registry. */
export function renderServerJson(): string {
  const own = manifest();
  return json({
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: own.mcpName,
    title: "Waybill",
    description: "GitHub and any API for agents: few tokens, true answers, no write applied twice",
    version: own.version,
    repository: { url: webAddress(own), source: "github" },
    packages: [
      {
        registryType: "npm",
        identifier: "waybill",
        version: own.version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        packageArguments: ["serve", "mcp", "--brief"].map((value) => ({
          type: "positional",
          value,
        })),
        environmentVariables: [
          {
            name: "GITHUB_TOKEN",
            description: "A GitHub token; without it, the GitHub CLI's sign-in is used",
            isRequired: false,
            isSecret: true,
          },
        ],
      },
    ],
  });
}
