import type { RunCommand, Words } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import type { ExitCode } from "../exit-codes.ts";
import { isAgreed } from "../ask.ts";
import { note, printText } from "../io.ts";
import type { Io } from "../io.ts";
import { choiceValue } from "../option-values.ts";
import { AGENTS, piecesFor, placeFor } from "../setup/agents.ts";
import type { Agent } from "../setup/agents.ts";
import { applyChanges, keptFiles, plannedChanges } from "../setup/changes.ts";
import { preview } from "../setup/preview.ts";
import { verify } from "../setup/verify.ts";
import { UsageError } from "../usage-error.ts";

async function agentOf(words: Words): Promise<Agent> {
  const [extra] = words.positionals;
  if (extra !== undefined) {
    throw new UsageError(`waybill setup takes no ${JSON.stringify(extra)}`, {
      hint: "waybill setup --agent claude-code",
    });
  }
  const agent = await choiceValue(words, "agent", AGENTS);
  if (agent !== undefined) return agent;
  throw new UsageError("waybill setup needs --agent", { hint: `--agent ${AGENTS.join("|")}` });
}

/** Files are written only where somebody said so, here or on the command line. */
async function mayWrite({ switches }: Words, io: Io): Promise<boolean> {
  if (switches.has("dry-run")) return false;
  if (switches.has("yes")) return true;
  if (io.isTTY) return isAgreed(io, "Write this?");
  throw new UsageError("waybill setup writes files only with --yes where nobody can be asked", {
    hint: "--dry-run shows what it would write",
  });
}

async function report(io: Io, agent: Agent, { switches }: Words): Promise<ExitCode> {
  const { isGood, lines } = await verify(io, agent, switches.has("user"));
  await printText(io, lines.join("\n"));
  return isGood ? EXIT.ok : EXIT.failed;
}

export const run: RunCommand = async (words, io) => {
  const { switches } = words;
  const agent = await agentOf(words);
  if (switches.has("verify")) return report(io, agent, words);
  const isRemoval = switches.has("remove");
  const place = placeFor(io, switches.has("user"));
  const pieces = piecesFor(agent, place, switches.has("indexed") ? "indexed" : "lean");
  const changes = await plannedChanges(pieces, isRemoval);
  const kept = isRemoval ? await keptFiles(pieces) : [];
  for (const path of kept) {
    await note(
      io,
      `waybill: the server in ${path} is not as setup writes it, and stays: it is yours`,
    );
  }
  if (changes.length === 0) {
    const none = kept.length > 0 ? "nothing was taken out" : "nothing of it is here";
    await printText(io, isRemoval ? none : "all of it is here already");
    return EXIT.ok;
  }
  await printText(io, preview(changes));
  if (!(await mayWrite(words, io))) {
    await note(io, "waybill: nothing was written");
    return EXIT.ok;
  }
  await applyChanges(changes, place.root);
  const next = isRemoval ? "" : `; check it with: waybill setup --agent ${agent} --verify`;
  await printText(io, `done${next}`);
  return EXIT.ok;
};
