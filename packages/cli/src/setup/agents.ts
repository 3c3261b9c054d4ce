import { homedir, platform } from "node:os";
import { join } from "node:path";
import type { Io } from "../io.ts";
import { skillText } from "../skill/index.ts";
import type { SkillOptions } from "../skill/index.ts";
import { jsonEntry } from "./json-entry.ts";
import { markedBlock } from "./marked-block.ts";
import { ownFile } from "./own-file.ts";
import type { Piece } from "./piece.ts";
import { tomlEntry } from "./toml-entry.ts";

export const AGENTS = ["claude-code", "cursor", "codex", "vscode", "generic"] as const;
export type Agent = (typeof AGENTS)[number];

export interface SetupPlace {
  /** The project's folder, or the user's home. */
  readonly root: string;
  readonly isUsers: boolean;
  /** Where VS Code keeps what is the user's own. */
  readonly codeFolder: string;
}

export function placeFor({ cwd, env }: Io, isUsers: boolean): SetupPlace {
  const home = env["HOME"] || homedir();
  return { root: isUsers ? home : cwd, isUsers, codeFolder: codeFolder(home, env) };
}

function codeFolder(home: string, env: Io["env"]): string {
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, "Library/Application Support"),
    win32: env["APPDATA"] ?? join(home, "AppData/Roaming"),
  };
  const folder = folders[platform()] ?? (env["XDG_CONFIG_HOME"] || join(home, ".config"));
  return join(folder, "Code/User");
}

const DESCRIPTION =
  "Calls GitHub and every configured API with few tokens. Use it for issues, pull requests, files, searches and any other GitHub action.";

function skillFile(folder: string, text: string): Piece {
  const head = { name: "waybill", description: DESCRIPTION };
  return ownFile(join(folder, "waybill/SKILL.md"), head, text);
}

type Pieces = (place: SetupPlace, text: string) => readonly Piece[];

/** Where each program looks for servers and for instructions, in a project and for its user. */
const PIECES: Readonly<Record<Agent, Pieces>> = {
  "claude-code": ({ root, isUsers }, text) => [
    jsonEntry(join(root, isUsers ? ".claude.json" : ".mcp.json"), "mcpServers"),
    skillFile(join(root, ".claude/skills"), text),
  ],
  // Rules for all of a user's projects stand in Cursor's settings, which are no file of ours.
  cursor: ({ root, isUsers }, text) => [
    jsonEntry(join(root, ".cursor/mcp.json"), "mcpServers"),
    ...(isUsers
      ? []
      : [
          ownFile(
            join(root, ".cursor/rules/waybill.mdc"),
            { description: DESCRIPTION, alwaysApply: true },
            text,
          ),
        ]),
  ],
  codex: ({ root, isUsers }, text) => [
    tomlEntry(join(root, ".codex/config.toml")),
    markedBlock(join(root, isUsers ? ".codex/AGENTS.md" : "AGENTS.md"), text),
  ],
  vscode: ({ root, isUsers, codeFolder: folder }, text) =>
    isUsers
      ? [
          jsonEntry(join(folder, "mcp.json"), "servers"),
          ownFile(
            join(folder, "prompts/waybill.instructions.md"),
            { description: DESCRIPTION, applyTo: "**" },
            text,
          ),
        ]
      : [
          jsonEntry(join(root, ".vscode/mcp.json"), "servers"),
          markedBlock(join(root, ".github/copilot-instructions.md"), text),
        ],
  generic: ({ root, isUsers }, text) => [
    ...(isUsers ? [] : [markedBlock(join(root, "AGENTS.md"), text)]),
    skillFile(join(root, ".agents/skills"), text),
  ],
};

/** What setting up an agent's program takes, file by file. */
export function piecesFor(
  agent: Agent,
  place: SetupPlace,
  form: SkillOptions["form"],
): readonly Piece[] {
  return PIECES[agent](place, skillText({ form }));
}
