import { relative } from "node:path";
import type { Io } from "../io.ts";
import { piecesFor, setupFolders } from "./agents.ts";
import type { Agent } from "./agents.ts";
import { getTools } from "./ask-server.ts";
import { plannedChanges, readFileText } from "./changes.ts";
import { SERVE_BRIEF, launcherWords, thisInstallation } from "./launcher.ts";
import type { Piece, ServerInFile } from "./piece.ts";

export interface Verdict {
  readonly isGood: boolean;
  readonly lines: readonly string[];
}

/** The `setup` command for the same agent, with the given flags. */
export function setupCommand(agent: Agent, isUsers: boolean, flags = ""): string {
  return `waybill setup --agent ${agent}${isUsers ? " --user" : ""}${flags}`;
}

async function fileLines(pieces: readonly Piece[], cwd: string): Promise<Verdict> {
  const missing = (await plannedChanges(pieces, false)).map(({ path, before }) => {
    return `${relative(cwd, path)} ${before === undefined ? "is missing" : "is not up to date"}`;
  });
  const found = pieces.length - missing.length;
  return {
    isGood: missing.length === 0,
    lines: [`${found} of ${pieces.length} files are up to date`, ...missing],
  };
}

/** The entry in the agent's file. If there is none, the entry that `setup` would write. */
async function serverIn(
  pieces: readonly Piece[],
  launcher: readonly string[],
): Promise<ServerInFile> {
  const piece = pieces.find(({ server }) => server !== undefined);
  const text = piece && (await readFileText(piece.path));
  const found = text === undefined ? undefined : piece?.server?.(text);
  return found ?? { words: [...launcher, ...SERVE_BRIEF], isWrittenBySetup: true };
}

function whatIsWrong(command: string, line: string, error: unknown): string {
  const isMissing = error instanceof Error && Reflect.get(Object(error.cause), "code") === "ENOENT";
  return isMissing
    ? `there is no program ${command}, so the agent cannot start it; install it`
    : `${line} does not work: ${error instanceof Error ? error.message : String(error)}`;
}

/** A file in a checkout may name any program, so a foreign entry is not started. */
async function serverLines(
  { env, cwd }: Io,
  pieces: readonly Piece[],
  isUsers: boolean,
): Promise<Verdict> {
  const launcher = launcherWords(thisInstallation(), isUsers);
  const { words, isWrittenBySetup } = await serverIn(pieces, launcher);
  const line = words.join(" ");
  const isThisCopy = launcher.every((word, at) => words[at] === word);
  if (!isWrittenBySetup || !isThisCopy) {
    const other = `the file starts another command, which setup does not test: ${line}`;
    return { isGood: false, lines: [other] };
  }
  const [command = "", ...args] = words;
  try {
    const tools = await getTools({ command, args, env, cwd });
    const said = `${line} answers with ${tools.length} tools: ${tools.join(", ")}`;
    return { isGood: tools.length > 0, lines: [said] };
  } catch (error) {
    return { isGood: false, lines: [whatIsWrong(command, line, error)] };
  }
}

/** Checks that the set-up works: the files exist, and the server starts and has tools. */
export async function verify(io: Io, agent: Agent, isUsers: boolean): Promise<Verdict> {
  const folders = setupFolders(io, isUsers);
  const lean = piecesFor(agent, folders, "lean");
  const forms = [lean, piecesFor(agent, folders, "indexed")];
  const found = await Promise.all(forms.map((pieces) => fileLines(pieces, io.cwd)));
  const files = found.find(({ isGood }) => isGood) ?? found[0]!;
  const hint = files.isGood ? [] : [`fix with: ${setupCommand(agent, isUsers)}`];
  const hasServer = lean.some(({ server }) => server !== undefined);
  const server = hasServer ? await serverLines(io, lean, isUsers) : { isGood: true, lines: [] };
  return {
    isGood: files.isGood && server.isGood,
    lines: [...files.lines, ...hint, ...server.lines],
  };
}
