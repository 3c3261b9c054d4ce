import { relative } from "node:path";
import type { Io } from "../io.ts";
import { piecesFor, placeFor } from "./agents.ts";
import type { Agent } from "./agents.ts";
import { toolsOf } from "./ask-server.ts";
import { plannedChanges, textOf } from "./changes.ts";
import { SERVER, isOurs } from "./piece.ts";
import type { Piece, ServerEntry } from "./piece.ts";

export interface Verdict {
  readonly isGood: boolean;
  readonly lines: readonly string[];
}

function setupCommand(agent: Agent, isUsers: boolean): string {
  return `waybill setup --agent ${agent}${isUsers ? " --user" : ""}`;
}

async function fileLines(pieces: readonly Piece[], cwd: string): Promise<Verdict> {
  const missing = (await plannedChanges(pieces, false)).map(({ path, before }) => {
    return `${relative(cwd, path)} ${before === undefined ? "is missing" : "is not up to date"}`;
  });
  const found = pieces.length - missing.length;
  return {
    isGood: missing.length === 0,
    lines: [`${found} of ${pieces.length} files`, ...missing],
  };
}

/** What the file of an agent's program says, or what would be written. */
async function serverIn(pieces: readonly Piece[]): Promise<ServerEntry> {
  const piece = pieces.find(({ server }) => server !== undefined);
  const text = piece && (await textOf(piece.path));
  return (text && piece?.server?.(text)) || SERVER;
}

/** A file of a checkout may name any program, and this command is no word of trust for it. */
function isKnown({ command, args, env = {} }: ServerEntry): boolean {
  return isOurs({ command, args }) && Object.keys(env).length === 0;
}

function mend(command: string, line: string, error: unknown): string {
  const isMissing = error instanceof Error && Reflect.get(Object(error.cause), "code") === "ENOENT";
  return isMissing
    ? `${command} is not on PATH, so the agent cannot start it: npm install --global waybill`
    : `${line} does not work: ${error instanceof Error ? error.message : String(error)}`;
}

async function serverLines({ env, cwd }: Io, pieces: readonly Piece[]): Promise<Verdict> {
  const entry = await serverIn(pieces);
  const { command, args } = entry;
  const line = [command, ...args].join(" ");
  if (!isKnown(entry)) {
    const strange = `the file starts something else, which is not tried here: ${line}`;
    return { isGood: false, lines: [strange] };
  }
  try {
    const tools = await toolsOf({ command, args, env, cwd });
    const said = `${line} answers with ${tools.length} tools: ${tools.join(", ")}`;
    return { isGood: tools.length > 0, lines: [said] };
  } catch (error) {
    return { isGood: false, lines: [mend(command, line, error)] };
  }
}

/** Whether what is set up works: the files are there, and the server starts and has tools. */
export async function verify(io: Io, agent: Agent, isUsers: boolean): Promise<Verdict> {
  const place = placeFor(io, isUsers);
  const lean = piecesFor(agent, place, "lean");
  const forms = [lean, piecesFor(agent, place, "indexed")];
  const found = await Promise.all(forms.map((pieces) => fileLines(pieces, io.cwd)));
  const files = found.find(({ isGood }) => isGood) ?? found[0]!;
  const hint = files.isGood ? [] : [`mend with: ${setupCommand(agent, isUsers)}`];
  const server = await serverLines(io, lean);
  return {
    isGood: files.isGood && server.isGood,
    lines: [...files.lines, ...hint, ...server.lines],
  };
}
