import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { errorFromUnknown } from "@waybill/core";
import { makeFolder } from "@waybill/state/files";
import type { Words } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";

const HEAD = `# Guessed from the help of the program. Check each operation: its effect, its words, its inputs.
# Then remove "guess: true" from it. An operation with it cannot be called.
`;

/** The program whose help to read, if the arguments name a program and not a manifest. */
function programIn({ positionals: [kind, place] }: Words, { cwd }: Io): string | undefined {
  if (kind !== "command" || place === undefined || /[/\\.]/u.test(place)) return undefined;
  return existsSync(resolve(cwd, place)) ? undefined : place;
}

async function writeProposal(program: string, io: Io, folder: string): Promise<string> {
  const file = join(folder, `${program}.manifest.yaml`);
  if (existsSync(file)) {
    const hint = `waybill source add command ${relative(io.cwd, file)}`;
    throw new UsageError(`There is a ${program}.manifest.yaml already`, { hint });
  }
  const { proposeManifest } = await import("@waybill/adapters/command");
  const { stringify } = await import("yaml");
  const manifest = await proposeManifest(program, io.env).catch((thrown: unknown) => {
    const { message, details } = errorFromUnknown(thrown);
    const { hint = "waybill help source add" } = details;
    throw new UsageError(message, { hint: String(hint) });
  });
  await makeFolder(dirname(file));
  await writeFile(file, HEAD + stringify(manifest));
  return file;
}

/** Replaces a program by a manifest that is generated from the program's help. */
export async function withManifest(
  words: Words,
  io: Io,
  folder: string,
): Promise<{ readonly words: Words; readonly lines: readonly string[] }> {
  const program = programIn(words, io);
  if (program === undefined) return { words, lines: [] };
  const file = await writeProposal(program, io, folder);
  const name = words.values.get("name") ?? program;
  const shown = relative(io.cwd, file);
  return {
    words: {
      ...words,
      positionals: ["command", file],
      values: new Map([...words.values, ["name", name]]),
    },
    lines: [
      `its operations are guesses from ${program} --help: check ${shown} and remove "guess: true"`,
      `from those that are right, then: waybill trust --source ${name}`,
    ],
  };
}
