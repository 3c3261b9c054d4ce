import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { makeFolder } from "./make-folder.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The XDG specification says to ignore a relative path in its variables. */
function xdgStateHome(env: Environment): string {
  const set = env["XDG_STATE_HOME"];
  if (set !== undefined && isAbsolute(set)) return set;
  return join(env["HOME"] || homedir(), ".local", "state");
}

/** The folder for data that is kept between calls. `WAYBILL_STATE` overrides it. */
export function stateFolder(env: Environment = process.env): string {
  const chosen = env["WAYBILL_STATE"];
  if (chosen !== undefined && chosen !== "") return resolve(chosen);
  return join(xdgStateHome(env), "waybill");
}

/** The paths of everything that Waybill stores in its state folder. */
export interface StateFiles {
  readonly approvals: string;
  /** The runs of programs. */
  readonly code: string;
  /** Encrypted tokens of connected accounts. */
  readonly connections: string;
  /** API descriptions that were fetched. */
  readonly descriptions: string;
  readonly history: string;
  /** Operations of sources and their search index. */
  readonly index: string;
  readonly journal: string;
  /** Rate limits of upstream accounts. */
  readonly limits: string;
  /** The call log, as lines of JSON. */
  readonly log: string;
  /** Tokens and sessions of MCP servers. */
  readonly mcp: string;
  /** Results that were too long for an answer. */
  readonly results: string;
  /** The scopes of tokens. */
  readonly scopes: string;
  /** The warnings that were shown recently and are not repeated. */
  readonly shown: string;
  readonly trust: string;
}

export function stateFiles(folder: string = stateFolder()): StateFiles {
  return {
    approvals: join(folder, "approvals.db"),
    code: join(folder, "code"),
    connections: join(folder, "connections"),
    descriptions: join(folder, "descriptions"),
    history: join(folder, "history.db"),
    index: join(folder, "index"),
    journal: join(folder, "journal.db"),
    limits: join(folder, "limits.json"),
    log: join(folder, "calls.jsonl"),
    mcp: join(folder, "mcp"),
    results: join(folder, "results"),
    scopes: join(folder, "scopes.json"),
    shown: join(folder, "shown.json"),
    trust: join(folder, "trust"),
  };
}

/** Creates a folder that only its user can read. Does not change a folder that exists. */
export async function ensurePrivateFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o700);
}
