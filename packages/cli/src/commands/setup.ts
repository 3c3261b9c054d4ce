import type { RunCommand, Words } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import type { ExitCode } from "../exit-codes.ts";
import { isAgreed } from "../ask.ts";
import { note, printText } from "../io.ts";
import type { Io } from "../io.ts";
import { choiceValue } from "../words/option-values.ts";
import { AGENTS, piecesFor, profileFor, setupFolders } from "../setup/agents.ts";
import type { Agent } from "../setup/agents.ts";
import {
  applyChanges,
  assertOwnFiles,
  keptFiles,
  otherServers,
  plannedChanges,
} from "../setup/changes.ts";
import { installedAgents } from "../setup/detect.ts";
import { launcherWords, thisInstallation } from "../setup/launcher.ts";
import type { Piece } from "../setup/piece.ts";
import { preview } from "../setup/preview.ts";
import { setupCommand, verify } from "../setup/verify.ts";
import { UsageError } from "../words/usage-error.ts";

const NAMES = `--agent ${AGENTS.join("|")}`;

function titles(agents: readonly Agent[]): string {
  return agents.map((agent) => profileFor(agent).title).join(", ");
}

/** The agents that can be set up here. Prints a note about those that need --user, and leaves them out. */
async function readUsable(found: readonly Agent[], io: Io, isUsers: boolean): Promise<Agent[]> {
  const userOnly = found.filter((agent) => !isUsers && profileFor(agent).isUserOnly === true);
  if (userOnly.length > 0) {
    const [reads, them] = userOnly.length === 1 ? ["reads", "it"] : ["read", "them"];
    const reason = `${reads} servers only from your home folder; use --user for ${them}`;
    await note(io, `waybill: ${titles(userOnly)} ${reason}`);
  }
  return found.filter((agent) => !userOnly.includes(agent));
}

async function detectedAgents(io: Io, { switches }: Words): Promise<readonly Agent[]> {
  const found = await installedAgents(io);
  if (found.length === 0) throw new UsageError("No agent was found here", { hint: NAMES });
  await note(io, `waybill: found ${titles(found)}`);
  const usable = await readUsable(found, io, switches.has("user"));
  const mayGoOn = io.isTTY || ["yes", "dry-run", "verify"].some((flag) => switches.has(flag));
  if (usable.length > 0 && mayGoOn) return usable;
  throw new UsageError("waybill setup needs --agent, or --yes for all that were found", {
    hint: usable.length > 0 ? `--agent ${usable.join("|")}` : "waybill setup --user --yes",
  });
}

async function chosenAgents(words: Words, io: Io): Promise<readonly Agent[]> {
  const [extra] = words.positionals;
  if (extra !== undefined) {
    throw new UsageError(`waybill setup takes no arguments, but got ${JSON.stringify(extra)}`, {
      hint: "waybill setup --agent claude-code",
    });
  }
  const agent = await choiceValue(words, "agent", AGENTS);
  if (agent === undefined) return detectedAgents(io, words);
  const { title, isUserOnly } = profileFor(agent);
  if (isUserOnly !== true || words.switches.has("user")) return [agent];
  throw new UsageError(`${title} reads servers only from your home folder`, {
    hint: setupCommand(agent, true),
  });
}

/** Files are written only if the user agrees, at the prompt or with a flag. */
async function mayWrite({ switches }: Words, io: Io): Promise<boolean> {
  if (switches.has("dry-run")) return false;
  if (switches.has("yes")) return true;
  if (io.isTTY) return isAgreed(io, "Write this?");
  throw new UsageError("waybill setup needs --yes to write files without a terminal", {
    hint: "--dry-run shows what it would write",
  });
}

async function report(io: Io, agents: readonly Agent[], { switches }: Words): Promise<ExitCode> {
  let areAllGood = true;
  for (const agent of agents) {
    const { isGood, lines } = await verify(io, agent, switches.has("user"));
    const head = agents.length > 1 ? [`${profileFor(agent).title}:`] : [];
    await printText(io, [...head, ...lines].join("\n"));
    areAllGood &&= isGood;
  }
  return areAllGood ? EXIT.ok : EXIT.failed;
}

async function noteKept(io: Io, kept: readonly string[]): Promise<void> {
  for (const path of kept) {
    await note(
      io,
      `waybill: the server in ${path} was changed after setup, so it is not removed; delete that ` +
        "entry by hand if you no longer need it",
    );
  }
}

/** Says which entries start another copy of Waybill, such as an older version. */
async function noteOthers(io: Io, pieces: readonly Piece[], isUsers: boolean): Promise<void> {
  const launcher = launcherWords(thisInstallation(), isUsers);
  for (const { path, words } of await otherServers(pieces, launcher)) {
    await note(
      io,
      `waybill: the server in ${path} was changed after setup, so it is kept. It starts ` +
        `${words.join(" ")}; remove that entry to get ${launcher.join(" ")}`,
    );
  }
}

/** The remaining steps for a person, and how to check the result. */
function nextSteps(agents: readonly Agent[], { switches }: Words): string {
  const isUsers = switches.has("user");
  const steps = agents.flatMap((agent) => [
    `next: ${profileFor(agent).next(isUsers)}`,
    `check it with: ${setupCommand(agent, isUsers, " --verify")}`,
  ]);
  return ["done", ...steps].join("\n");
}

async function nothingToChange(io: Io, isRemoval: boolean, hasKept: boolean): Promise<ExitCode> {
  const none = hasKept ? "nothing was removed" : "there is nothing to remove";
  await printText(io, isRemoval ? none : "everything is set up already");
  return EXIT.ok;
}

export const run: RunCommand = async (words, io) => {
  const { switches } = words;
  const agents = await chosenAgents(words, io);
  if (switches.has("verify")) return report(io, agents, words);
  const isRemoval = switches.has("remove");
  const folders = setupFolders(io, switches.has("user"));
  const form = switches.has("lean") ? "lean" : "indexed";
  const pieces: Piece[] = agents.flatMap((agent) => [...piecesFor(agent, folders, form)]);
  const changes = await plannedChanges(pieces, isRemoval);
  await assertOwnFiles(changes, folders);
  const kept = isRemoval ? await keptFiles(pieces) : [];
  await noteKept(io, kept);
  if (!isRemoval) await noteOthers(io, pieces, folders.isUsers);
  if (changes.length === 0) return nothingToChange(io, isRemoval, kept.length > 0);
  await printText(io, preview(changes));
  if (!(await mayWrite(words, io))) {
    await note(io, "waybill: nothing was written");
    return EXIT.ok;
  }
  await applyChanges(changes, folders.root);
  await printText(io, isRemoval ? "done" : nextSteps(agents, words));
  return EXIT.ok;
};
