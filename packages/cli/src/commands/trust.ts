import { resolve } from "node:path";
import {
  CONFIG_NAME,
  findProjectConfig,
  findUserConfig,
  openToolPins,
  readConfig,
  settingsIn,
  trustConfig,
} from "@waybill/state";
import type { ConfigFile } from "@waybill/state";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printText } from "../io.ts";
import type { Io } from "../io.ts";
import { sourceAddress } from "../sources/describe.ts";
import { UsageError, unknownWord } from "../words/usage-error.ts";
import { orUsageError } from "../waybill/index.ts";

function hasSource({ config }: ConfigFile, name: string | undefined): boolean {
  return name === undefined || Object.hasOwn(config.sources ?? {}, name);
}

/**
 * The configuration file to change: the named file, the project's file, or the user's file if only
 * that one has the source.
 */
async function fileWith(
  given: string | undefined,
  name: string | undefined,
  { cwd, env }: Io,
): Promise<ConfigFile> {
  if (given !== undefined) return orUsageError(readConfig(resolve(cwd, given)));
  const paths = [findProjectConfig(cwd, env), name === undefined ? undefined : findUserConfig(env)];
  const files = await orUsageError(
    Promise.all(paths.filter((path) => path !== undefined).map(readConfig)),
  );
  const file = files.find((each) => hasSource(each, name)) ?? files[0];
  if (file !== undefined) return file;
  throw new UsageError(`There is no ${CONFIG_NAME} here or in a folder above`, {
    hint: "waybill trust <file>",
  });
}

/**
 * Forgets the recorded tools of an MCP server, so that the next listing trusts the current ones.
 */
async function forgetTools(file: ConfigFile, names: readonly string[], { env }: Io): Promise<void> {
  for (const name of names) {
    const source = file.config.sources?.[name];
    if (source?.kind !== "mcp") continue;
    await openToolPins({ env, path: file.path, name, source }).forget();
  }
}

function trustLines({ path, config, digest }: ConfigFile, names: readonly string[]): string[] {
  const sources = names.map((name) => {
    const source = config.sources![name]!;
    return `  ${name} ${source.kind} ${sourceAddress(source)}`;
  });
  return [`trusted ${path}`, `sha256 ${digest}`, ...sources];
}

export const run: RunCommand = async ({ positionals: [given, extra], values }, io) => {
  if (extra !== undefined)
    throw new UsageError("waybill trust takes one file; run it once for each");
  const chosen = values.get("source");
  const file = await fileWith(given, chosen, io);
  const all = Object.keys(file.config.sources ?? {});
  if (!hasSource(file, chosen)) {
    const message = `${file.path} has no source called ${chosen}`;
    throw await unknownWord(message, chosen!, all, "waybill source list");
  }
  const names = chosen === undefined ? all : [chosen];
  const hasSettings = chosen === undefined;
  await orUsageError(trustConfig(file, io.env, { sources: names, settings: hasSettings }));
  await forgetTools(file, names, io);
  const settings = hasSettings ? settingsIn(file.config) : [];
  const nothing = names.length + settings.length === 0 ? ["  nothing needs trust here"] : [];
  const more = settings.length === 0 ? [] : [`  settings: ${settings.join(", ")}`];
  await printText(io, [...trustLines(file, names), ...more, ...nothing].join("\n"));
  return EXIT.ok;
};
