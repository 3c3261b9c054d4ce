import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir, platform } from "node:os";
import { join } from "node:path";
import type { Io } from "../io.ts";
import { skillText } from "../skill/index.ts";
import type { SkillOptions } from "../skill/index.ts";
import { COPILOT, GEMINI, OPENCODE, STANDARD, VSCODE } from "./entry-format.ts";
import { jsonEntry } from "./json-entry.ts";
import type { JsonList } from "./json-entry.ts";
import { launcherWords, thisInstallation } from "./launcher.ts";
import { hasBlock, markedBlock } from "./marked-block.ts";
import { ownFile } from "./own-file.ts";
import type { Piece } from "./piece.ts";
import { DESCRIPTION, skillFile } from "./skill-file.ts";
import { tomlEntry } from "./toml-entry.ts";
import { yamlEntry } from "./yaml-entry.ts";

/** The folders that `setup` writes to. */
export interface SetupFolders {
  /** The project's folder, or the user's home. */
  readonly root: string;
  readonly isUsers: boolean;
  readonly home: string;
  /** The folder where desktop programs store the user's settings. */
  readonly applications: string;
  /** The folder where command-line programs store the user's settings. */
  readonly config: string;
}

export function setupFolders({ cwd, env }: Io, isUsers: boolean): SetupFolders {
  const home = env["HOME"] || homedir();
  const config = env["XDG_CONFIG_HOME"] || join(home, ".config");
  const byPlatform: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, "Library/Application Support"),
    win32: env["APPDATA"] ?? join(home, "AppData/Roaming"),
  };
  const applications = byPlatform[platform()] ?? config;
  return { root: isUsers ? home : cwd, isUsers, home, applications, config };
}

interface Context extends SetupFolders {
  readonly launcher: readonly string[];
  readonly skill: string;
}

export interface AgentProfile {
  readonly title: string;
  /** The name of the agent's command, if it has one. */
  readonly program?: string;
  /** A folder that exists once the agent has run. */
  readonly folder: (folders: SetupFolders) => string;
  /** Whether the agent reads servers only from the user's files, not from a project. */
  readonly isUserOnly?: boolean;
  readonly pieces: (context: Context) => readonly Piece[];
  /** The step that a person has to do after the files are written. */
  readonly next: (isUsers: boolean) => string;
}

function servers(
  { launcher }: Context,
  path: string,
  { key = "mcpServers", format = STANDARD, ...more }: Partial<JsonList> = {},
): Piece {
  return jsonEntry({ ...more, path, key, format, launcher });
}

const VSCODE_LIST = { key: "servers", format: VSCODE } as const;

/** Zed uses another folder name on Windows. */
function zedFolder({ config, applications }: SetupFolders): string {
  return platform() === "win32" ? join(applications, "Zed") : join(config, "zed");
}

function gooseFolder({ config, applications }: SetupFolders): string {
  return platform() === "win32" ? join(applications, "Block/goose/config") : join(config, "goose");
}

function devinFolder({ config, applications }: SetupFolders): string {
  return join(platform() === "win32" ? applications : config, "devin");
}

function cascadeFolder({ home }: SetupFolders): string {
  return join(home, ".codeium/windsurf");
}

/** Other files are read by older versions of Windsurf and by its older agent Cascade. */
function cascadePieces(context: Context): readonly Piece[] {
  const folder = cascadeFolder(context);
  if (!existsSync(folder)) return [];
  return [
    servers(context, join(folder, "mcp_config.json")),
    markedBlock(join(folder, "memories/global_rules.md"), context.skill),
  ];
}

/** Zed reads only the first of these files, so a new one could hide the user's instructions. */
const ZED_INSTRUCTIONS = [
  ".rules",
  ".cursorrules",
  ".windsurfrules",
  ".clinerules",
  ".github/copilot-instructions.md",
  "AGENT.md",
  "AGENTS.md",
  "CLAUDE.md",
  "GEMINI.md",
];

function zedInstructions(root: string): string {
  const isFile = (name: string): boolean =>
    statSync(join(root, name), { throwIfNoEntry: false })?.isFile() === true;
  // A file that already has Waybill's part is updated, even if Zed reads another file first.
  const isOurs = (name: string): boolean =>
    isFile(name) && hasBlock(readFileSync(join(root, name), "utf8"));
  const found = ZED_INSTRUCTIONS.find(isOurs) ?? ZED_INSTRUCTIONS.find(isFile);
  return join(root, found ?? "AGENTS.md");
}

/** opencode reads both file names, so the file that exists is changed. */
function opencodeFile(folder: string): string {
  const commented = join(folder, "opencode.jsonc");
  return existsSync(commented) ? commented : join(folder, "opencode.json");
}

/** Where each program looks for servers and instructions, for a project and for the user. */
const PROFILES = {
  "claude-code": {
    title: "Claude Code",
    program: "claude",
    folder: ({ home }) => join(home, ".claude"),
    pieces: (context) => [
      servers(context, join(context.root, context.isUsers ? ".claude.json" : ".mcp.json")),
      skillFile(join(context.root, ".claude/skills"), context.skill),
    ],
    next: (isUsers) =>
      isUsers
        ? "Start a new session of Claude Code."
        : "Run claude in this folder and approve the server waybill when it asks.",
  },
  "claude-desktop": {
    title: "Claude Desktop",
    folder: ({ applications }) => join(applications, "Claude"),
    isUserOnly: true,
    pieces: (context) => [
      servers(context, join(context.applications, "Claude/claude_desktop_config.json")),
    ],
    next: () => "Quit Claude Desktop and open it again; closing the window is not enough.",
  },
  cursor: {
    title: "Cursor",
    program: "cursor",
    folder: ({ home }) => join(home, ".cursor"),
    // Cursor stores rules for all projects in its settings, which `setup` does not edit.
    pieces: (context) => [
      servers(context, join(context.root, ".cursor/mcp.json")),
      ...(context.isUsers
        ? []
        : [
            ownFile(
              join(context.root, ".cursor/rules/waybill.mdc"),
              { description: DESCRIPTION, alwaysApply: true },
              context.skill,
            ),
          ]),
    ],
    next: () => "In Cursor, open Settings, Tools & MCP, and switch waybill on.",
  },
  vscode: {
    title: "VS Code with Copilot",
    program: "code",
    folder: ({ applications }) => join(applications, "Code"),
    pieces: (context) =>
      context.isUsers
        ? [
            servers(context, join(context.applications, "Code/User/mcp.json"), VSCODE_LIST),
            ownFile(
              join(context.applications, "Code/User/prompts/waybill.instructions.md"),
              { description: DESCRIPTION, applyTo: "**" },
              context.skill,
            ),
          ]
        : [
            servers(context, join(context.root, ".vscode/mcp.json"), VSCODE_LIST),
            markedBlock(join(context.root, ".github/copilot-instructions.md"), context.skill),
          ],
    next: () =>
      "In VS Code, run the command MCP: List Servers, start waybill and confirm that you trust it.",
  },
  "copilot-cli": {
    title: "Copilot CLI",
    program: "copilot",
    folder: ({ home }) => join(home, ".copilot"),
    pieces: (context) =>
      context.isUsers
        ? [
            servers(context, join(context.home, ".copilot/mcp-config.json"), { format: COPILOT }),
            skillFile(join(context.home, ".copilot/skills"), context.skill),
          ]
        : [
            servers(context, join(context.root, ".github/mcp.json"), { format: COPILOT }),
            skillFile(join(context.root, ".github/skills"), context.skill),
          ],
    next: (isUsers) =>
      isUsers
        ? "Start a new session of copilot."
        : "Run copilot in this folder and confirm that you trust the folder.",
  },
  codex: {
    title: "Codex",
    program: "codex",
    folder: ({ home }) => join(home, ".codex"),
    pieces: ({ root, isUsers, launcher, skill }) => [
      tomlEntry(join(root, ".codex/config.toml"), launcher),
      markedBlock(join(root, isUsers ? ".codex/AGENTS.md" : "AGENTS.md"), skill),
    ],
    next: (isUsers) =>
      isUsers
        ? "Start a new session of codex."
        : "Run codex in this folder and trust it: Codex ignores .codex/config.toml until then.",
  },
  "gemini-cli": {
    title: "Gemini CLI",
    program: "gemini",
    folder: ({ home }) => join(home, ".gemini"),
    pieces: (context) => [
      servers(context, join(context.root, ".gemini/settings.json"), { format: GEMINI }),
      markedBlock(
        join(context.root, context.isUsers ? ".gemini/GEMINI.md" : "GEMINI.md"),
        context.skill,
      ),
    ],
    next: () => "Run gemini in a folder that you trust: it disables servers in all others.",
  },
  opencode: {
    title: "opencode",
    program: "opencode",
    folder: ({ config }) => join(config, "opencode"),
    pieces: (context) => {
      const folder = context.isUsers ? join(context.config, "opencode") : context.root;
      // Version 2 of opencode has its own list in `mcp.servers`, and also reads the older one.
      const list = { key: "mcp", nested: "servers", format: OPENCODE } as const;
      // A new AGENTS.md would hide the user's CLAUDE.md from opencode.
      const skills = join(folder, context.isUsers ? "skills" : ".opencode/skills");
      return [servers(context, opencodeFile(folder), list), skillFile(skills, context.skill)];
    },
    next: () => "Start opencode again.",
  },
  windsurf: {
    title: "Windsurf (Devin Desktop)",
    program: "windsurf",
    folder: (folders) => {
      const cascade = cascadeFolder(folders);
      return existsSync(cascade) ? cascade : devinFolder(folders);
    },
    pieces: (context) =>
      context.isUsers
        ? [
            servers(context, join(devinFolder(context), "mcp_config.json")),
            markedBlock(join(devinFolder(context), "AGENTS.md"), context.skill),
            ...cascadePieces(context),
          ]
        : [
            servers(context, join(context.root, ".devin/mcp_config.json")),
            markedBlock(join(context.root, "AGENTS.md"), context.skill),
          ],
    next: () => "Open the list of MCP servers in the agent's panel and press refresh.",
  },
  zed: {
    title: "Zed",
    program: "zed",
    folder: zedFolder,
    pieces: (context) => {
      const list = { key: "context_servers" } as const;
      return context.isUsers
        ? [
            servers(context, join(zedFolder(context), "settings.json"), list),
            markedBlock(join(zedFolder(context), "AGENTS.md"), context.skill),
          ]
        : [
            servers(context, join(context.root, ".zed/settings.json"), list),
            markedBlock(zedInstructions(context.root), context.skill),
          ];
    },
    next: (isUsers) =>
      isUsers
        ? "In Zed, open the agent's settings: waybill shows a green dot when it runs."
        : "Open this folder in Zed and trust it: Zed starts no server of a project before that.",
  },
  goose: {
    title: "Goose",
    program: "goose",
    folder: gooseFolder,
    isUserOnly: true,
    pieces: (context) => [
      yamlEntry(join(gooseFolder(context), "config.yaml"), context.launcher),
      markedBlock(join(gooseFolder(context), ".goosehints"), context.skill),
    ],
    next: () => "Start a new session of Goose.",
  },
  cline: {
    title: "Cline",
    program: "cline",
    folder: ({ home }) => join(home, ".cline"),
    isUserOnly: true,
    pieces: (context) => [
      servers(context, join(context.home, ".cline/data/settings/cline_mcp_settings.json")),
      ownFile(join(context.home, ".cline/rules/waybill.md"), {}, context.skill),
    ],
    next: () => "Start Cline again; its extension for VS Code lists the server under MCP Servers.",
  },
  generic: {
    title: "Other agents",
    folder: ({ home }) => join(home, ".agents"),
    pieces: ({ root, isUsers, skill }) => [
      ...(isUsers ? [] : [markedBlock(join(root, "AGENTS.md"), skill)]),
      skillFile(join(root, ".agents/skills"), skill),
    ],
    next: () => "Add the MCP server to your agent by hand: waybill serve mcp --brief.",
  },
} as const satisfies Readonly<Record<string, AgentProfile>>;

export type Agent = keyof typeof PROFILES;
export const AGENTS = Object.keys(PROFILES) as readonly Agent[];

export function profileFor(agent: Agent): AgentProfile {
  return PROFILES[agent];
}

/** The files to change for an agent, with the text that each one gets. */
export function piecesFor(
  agent: Agent,
  folders: SetupFolders,
  form: SkillOptions["form"],
): readonly Piece[] {
  const launcher = launcherWords(thisInstallation(), folders.isUsers);
  const door = agent === "generic" ? "command" : "mcp";
  return profileFor(agent).pieces({ ...folders, launcher, skill: skillText({ form, door }) });
}
