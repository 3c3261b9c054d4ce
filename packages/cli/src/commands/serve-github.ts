import { resolve } from "node:path";
import { TOKENS, startGithubEmulator } from "@waybill/github/emulator";
import type { EmulatorOptions, GithubEmulator } from "@waybill/github/emulator";
import type { RunCommand, Words } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, printText } from "../io.ts";
import type { Io } from "../io.ts";
import { listenError } from "../listen-error.ts";
import { numberValue } from "../words/option-values.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { UsageError } from "../words/usage-error.ts";

const MAX_PORT = 65_535;

function emulatorAddress(words: Words, { cwd }: Io): EmulatorOptions {
  const socket = words.values.get("socket");
  const port = numberValue(words, "port");
  if (socket !== undefined && port !== undefined) {
    throw new UsageError("Pass either --port or --socket, not both");
  }
  if (port !== undefined && port > MAX_PORT) {
    throw new UsageError(`--port must be at most ${MAX_PORT}, not ${port}`);
  }
  if (socket !== undefined) return { socket: resolve(cwd, socket) };
  return port === undefined ? {} : { port };
}

async function startEmulator(options: EmulatorOptions): Promise<GithubEmulator> {
  try {
    return await startGithubEmulator(options);
  } catch (error) {
    throw listenError(error, options.socket ?? `port ${options.port ?? 0}`);
  }
}

/** Prints lines to copy for a person, or JSON for a program. */
function printEmulator(io: Io, { env, url, socketPath }: GithubEmulator): Promise<void> {
  if (!io.isTTY) return printJson(io, { WAYBILL_GITHUB: env, url, token: TOKENS.octocat });
  const ways =
    socketPath === undefined
      ? [`  curl -H "authorization: token ${TOKENS.octocat}" ${url}/user`]
      : [];
  return printText(
    io,
    [
      "The embedded GitHub is running. To use it, run in another terminal:",
      "",
      `  export WAYBILL_GITHUB=${env}`,
      "  waybill run repo.view owner=octo name=hello",
      ...ways,
      "",
      "Ctrl-C stops it and deletes its data.",
    ].join("\n"),
  );
}

export const run: RunCommand = async (words, io) => {
  const [extra] = words.positionals;
  if (extra !== undefined) {
    throw new UsageError(
      `waybill serve github-emulator takes no arguments, but got ${JSON.stringify(extra)}; leave it out`,
    );
  }
  const emulator = await startEmulator(emulatorAddress(words, io));
  try {
    await printEmulator(io, emulator);
    await untilInterrupted(io);
  } finally {
    await emulator.close();
  }
  return EXIT.ok;
};
