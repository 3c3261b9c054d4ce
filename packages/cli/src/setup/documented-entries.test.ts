import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { expect, it, onTestFinished } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { makeWorld } from "../fixtures/world.ts";
import type { Agent } from "./agents.ts";

const words = z.array(z.string());
const strings = z.record(z.string(), z.string());

/** The format of the entry that most agents use. */
const STDIO = z.strictObject({
  type: z.literal("stdio").optional(),
  command: z.string(),
  args: words.optional(),
  env: strings.optional(),
});

interface Documented {
  /** The URL of the page or schema that documents the file. */
  readonly source: string;
  /** The path of the file below the home folder, on Linux. */
  readonly file: string;
  readonly list: string;
  readonly entry: z.ZodType;
}

/**
 * The file in which each agent looks for servers, and the members it accepts, from the agent's own
 * documentation.
 */
const DOCUMENTED: Readonly<Record<Exclude<Agent, "generic">, Documented>> = {
  "claude-code": {
    source: "https://code.claude.com/docs/en/mcp",
    file: ".claude.json",
    list: "mcpServers",
    entry: STDIO,
  },
  "claude-desktop": {
    source: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
    file: ".config/Claude/claude_desktop_config.json",
    list: "mcpServers",
    entry: STDIO.omit({ type: true }),
  },
  cursor: {
    source: "https://cursor.com/docs/mcp",
    file: ".cursor/mcp.json",
    list: "mcpServers",
    entry: STDIO.extend({ envFile: z.string().optional() }),
  },
  vscode: {
    source: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
    file: ".config/Code/User/mcp.json",
    list: "servers",
    entry: STDIO.required({ type: true }),
  },
  "copilot-cli": {
    source:
      "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
    file: ".copilot/mcp-config.json",
    list: "mcpServers",
    entry: z.strictObject({
      type: z.enum(["local", "stdio"]),
      command: z.string(),
      args: words,
      tools: words,
      env: strings.optional(),
    }),
  },
  codex: {
    source: "https://developers.openai.com/codex/mcp",
    file: ".codex/config.toml",
    list: "mcp_servers",
    entry: STDIO.omit({ type: true }),
  },
  "gemini-cli": {
    source: "https://geminicli.com/docs/tools/mcp-server",
    file: ".gemini/settings.json",
    list: "mcpServers",
    entry: STDIO.omit({ type: true }).extend({ timeout: z.literal(600_000) }),
  },
  opencode: {
    source: "https://opencode.ai/docs/migrate-v1 and https://opencode.ai/v1/docs/mcp-servers",
    file: ".config/opencode/opencode.json",
    list: "mcp",
    entry: z.strictObject({
      type: z.literal("local"),
      command: words.min(1),
      environment: strings.optional(),
    }),
  },
  windsurf: {
    source: "https://docs.devin.ai/cli/extensibility/mcp/configuration",
    file: ".config/devin/mcp_config.json",
    list: "mcpServers",
    entry: STDIO.omit({ type: true }),
  },
  zed: {
    source: "https://zed.dev/docs/ai/mcp",
    file: ".config/zed/settings.json",
    list: "context_servers",
    entry: STDIO.omit({ type: true }),
  },
  goose: {
    source: "https://block.github.io/goose/docs/guides/config-files",
    file: ".config/goose/config.yaml",
    list: "extensions",
    entry: z.strictObject({
      type: z.literal("stdio"),
      name: z.string(),
      description: z.string().optional(),
      enabled: z.literal(true),
      cmd: z.string(),
      args: words,
      timeout: z.int().positive().optional(),
      envs: strings.optional(),
    }),
  },
  cline: {
    source: "https://docs.cline.bot/mcp/configuring-mcp-servers",
    file: ".cline/data/settings/cline_mcp_settings.json",
    list: "mcpServers",
    entry: STDIO,
  },
};

function parsed(file: string, text: string): unknown {
  if (file.endsWith(".toml")) return parseToml(text);
  return file.endsWith(".yaml") ? parseYaml(text) : parseJsonc(text);
}

it.each(Object.entries(DOCUMENTED))(
  "setup --agent %s writes the server entry in the form that the agent documents",
  async (agent, { source, file, list, entry }) => {
    const world = await makeWorld(onTestFinished);
    await world.run(["setup", "--agent", agent, "--user", "--yes"]);
    const text = await readFile(join(world.folder, "home", file), "utf8");
    const servers = (parsed(file, text) as Record<string, Record<string, unknown>>)[list];
    expect({ source, ...entry.safeParse(servers?.["waybill"]) }).toMatchObject({ success: true });
  },
);
