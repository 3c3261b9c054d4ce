import { dirname } from "node:path";
import {
  configToEdit,
  editSources,
  loadConfig,
  openToolPins,
  parseConfig,
  readConfig,
} from "@waybill/state";
import { makeFolder } from "@waybill/state/files";
import type { EffectiveConfig, SourceConfig } from "@waybill/state";
import { isAgreed } from "../ask.ts";
import type { RunCommand, Words } from "../command.ts";
import { connectCommand } from "../connect/connect-command.ts";
import { EXIT } from "../exit-codes.ts";
import { printText, warn } from "../io.ts";
import type { Io } from "../io.ts";
import { configFromWords } from "../sources/config-from-words.ts";
import {
  NO_ROUTE,
  checkName,
  collisionText,
  operationCount,
  sourceAddress,
  suggestName,
} from "../sources/describe.ts";
import { importedSources } from "../sources/import-mcp.ts";
import { withPrivateHosts } from "../sources/private-hosts.ts";
import { withManifest } from "../sources/propose-command.ts";
import { readSource } from "../sources/read-source.ts";
import type { SourceReport } from "../sources/read-source.ts";
import { schemeLines, withSchemes } from "../sources/token-schemes.ts";
import { UsageError } from "../words/usage-error.ts";
import { numberValue } from "../words/option-values.ts";
import { orUsageError } from "../waybill/index.ts";

/**
 * How long to wait for a server, in milliseconds. A server with the older protocol may not answer
 * in the first 10 seconds.
 */
const SERVER_MS = 15_000;

/** How long to wait if npx or uvx has to download the server first. */
function serverMs(words: Words): number {
  const seconds = numberValue(words, "timeout");
  return seconds === undefined ? SERVER_MS : seconds * 1_000;
}

/** The most problems and unchecked patterns to print. `waybill source check` prints all. */
const MAX_TOLD = 10;

type Named = readonly [name: string, config: SourceConfig];

async function namedSource(words: Words, io: Io, path: string): Promise<Named> {
  const config = await configFromWords(words, io.cwd, dirname(path));
  const [word = "", place] = words.positionals;
  const name = words.values.get("name") ?? (place === undefined ? word : suggestName(config));
  return [checkName(name), config];
}

/** The source as it will be configured: validated, with absolute paths. */
async function asRead(path: string, [name, config]: Named): Promise<SourceConfig> {
  const text = JSON.stringify({ sources: { [name]: config } });
  const { config: read } = await parseConfig(path, new TextEncoder().encode(text));
  return read.sources![name]!;
}

/** Whether a source can be added unread. `waybill connect` then signs in and reads it. */
function isConnectable({ kind, needsSignIn }: SourceReport): boolean {
  return kind === "mcp" && needsSignIn === true;
}

function describeReport(report: SourceReport): string[] {
  const { name, kind, operations, examples, problems, collisions } = report;
  if (isConnectable(report)) {
    return [`added ${name} (${kind}), sign in with: ${connectCommand(name)}`];
  }
  const left = problems.length === 0 ? "" : `, ${problems.length} left out`;
  return [
    `added ${name} (${kind}): ${operationCount(operations)}${left}`,
    ...(examples.length === 0 ? [] : [`try: waybill capabilities explain ${examples[0]}`]),
    ...collisions.map(collisionText),
  ];
}

/**
 * Stores the hosts that the description names now. The token is sent to no other host, even if the
 * description changes later.
 */
function withHosts(config: SourceConfig, { hosts }: SourceReport): SourceConfig {
  const [first] = hosts ?? [];
  if (config.kind !== "openapi" || config.hosts !== undefined || first === undefined) return config;
  return { ...config, hosts: [first] };
}

/** Shows the user where the token will be sent, before it is sent. */
function tokenLines(config: SourceConfig, { hosts = [], schemes }: SourceReport): string[] {
  if (config.kind !== "openapi" || config.credentials === undefined) return [];
  const { hosts: bound = [] } = config;
  if (bound.length === 0)
    return ["the description has no address of the API; add it with --server URL"];
  const others = hosts.filter((host) => !bound.includes(host));
  const all = [...bound, ...others].join(",");
  return [
    `the token is sent only to ${bound.join(", ")}`,
    ...schemeLines(config, schemes),
    ...(others.length === 0
      ? []
      : [
          `the description also names ${others.join(", ")}; to send the token there too, add --hosts ${all}`,
        ]),
  ];
}

/** How to sign in to an API that needs a token, if its description says how. */
function signInLines(config: SourceConfig, { name, schemes = [] }: SourceReport): string[] {
  if (config.kind !== "openapi" || config.credentials !== undefined) return [];
  return schemes.length === 0
    ? []
    : [`its operations need a credential; sign in with: ${connectCommand(name)}`];
}

/** Offers a person at a terminal to sign in now. */
async function offerToConnect(words: Words, io: Io, name: string): Promise<void> {
  if (!io.isTTY || !(await isAgreed(io, `Sign in to ${name} now?`))) return;
  const { run: connect } = await import("./connect.ts");
  await connect({ ...words, positionals: [name] }, io, []);
}

function refuseTaken(name: string, sources: object, words: Words): void {
  // Source names that differ only in upper and lower case are too easily confused.
  const taken = Object.keys(sources).find((one) => one.toLowerCase() === name.toLowerCase());
  if (taken === undefined || (taken === name && words.switches.has("replace"))) return;
  throw new UsageError(`There is a source called ${taken} already`, {
    hint: "Use --replace with its name to replace it, or --name for another name",
  });
}

/**
 * Refuses a name that another source has. This happens before anything of either source is read or
 * removed.
 */
async function refuseName(
  words: Words,
  path: string,
  name: string,
  { places }: EffectiveConfig,
): Promise<void> {
  const file = await readConfig(path).catch(() => undefined);
  refuseTaken(name, file?.config.sources ?? {}, words);
  if (words.switches.has("user") || places[name]?.origin !== "user") return;
  throw new UsageError(`Your own configuration has a source called ${name}`, {
    hint: "Use --name for another name, or --user --replace to replace it",
  });
}

/** Refuses cards that have no usable route. */
function refuseUnreachable({ kind, name, operations, problems }: SourceReport): void {
  if (kind !== "cards") return;
  const lacking = problems.filter((problem) => problem.includes(NO_ROUTE));
  if (lacking.length === 0) return;
  const others = operations === 0 ? "" : `, ${operationCount(operations)} are usable`;
  const shown = lacking.slice(0, 3).join("; ");
  throw new UsageError(`${name} was not added: ${shown} (${lacking.length} such cards${others})`, {
    hint: "waybill source add cards <folder> --base-url https://api.example.com",
  });
}

/**
 * Reads a source as it will be configured, and records the current tools of an MCP server as
 * trusted.
 */
async function readNew(words: Words, io: Io, path: string, named: Named): Promise<SourceReport> {
  const [name] = named;
  const effective = await orUsageError(loadConfig(io));
  await refuseName(words, path, name, effective);
  const source = await orUsageError(asRead(path, named));
  const origin = words.switches.has("user") ? "user" : "project";
  const places = { ...effective.places, [name]: { origin, path } as const };
  await makeFolder(dirname(path));
  await openToolPins({ env: io.env, path, name, source }).forget();
  const report = await readSource(io, { ...effective, places }, name, source, serverMs(words));
  refuseUnreachable(report);
  if (report.failure !== undefined && !isConnectable(report) && !isUnreadPart(source, report)) {
    const hint = report.hint === undefined ? {} : { hint: report.hint };
    throw new UsageError(`${name} was not added: ${report.failure}`, hint);
  }
  return report;
}

/** Whether the description refers to other documents that were not read. */
function isUnreadPart(given: SourceConfig, { isSplit }: SourceReport): boolean {
  return given.kind === "openapi" && given.external !== true && isSplit === true;
}

/** Reads a source. If the description has several documents, reads all of them. */
async function readNewSource(
  words: Words,
  io: Io,
  path: string,
  [name, given]: Named,
): Promise<{ given: SourceConfig; report: SourceReport }> {
  const report = await readNew(words, io, path, [name, given]);
  if (given.kind !== "openapi" || !isUnreadPart(given, report)) return { given, report };
  const whole: SourceConfig = { ...given, external: true };
  return { given: whole, report: await readNew(words, io, path, [name, whole]) };
}

async function addOne(words: Words, io: Io, path: string, named: Named): Promise<string[]> {
  const [name] = named;
  const { given, report } = await readNewSource(words, io, path, named);
  const reached = withPrivateHosts(withHosts(given, report), report.hosts);
  const config = withSchemes(reached, report.schemes);
  const change: Parameters<typeof editSources>[2] = (sources) => {
    refuseTaken(name, sources, words);
    return { ...sources, [name]: config };
  };
  await orUsageError(editSources(path, io.env, change, [name]));
  await warn(io, report.problems.slice(0, MAX_TOLD));
  await warn(io, report.unchecked.slice(0, MAX_TOLD));
  return [...describeReport(report), ...tokenLines(config, report), ...signInLines(config, report)];
}

/**
 * Adds MCP servers that are configured in other programs. They are neither started nor trusted yet.
 */
async function addImported(words: Words, io: Io, path: string): Promise<string[]> {
  const imported = await importedSources(words.positionals, io);
  if (imported.length === 0) throw new UsageError("No source was added; see the reasons above");
  const change: Parameters<typeof editSources>[2] = (sources) => {
    for (const [name] of imported) refuseTaken(checkName(name), sources, words);
    return { ...sources, ...Object.fromEntries(imported) };
  };
  await orUsageError(editSources(path, io.env, change));
  const lines = imported.map(([name, config]) => `added ${name} (mcp): ${sourceAddress(config)}`);
  return [...lines, "review them, then trust them with: waybill trust"];
}

export const run: RunCommand = async (words, io) => {
  const path = await configToEdit(io.cwd, io.env, words.switches.has("user"));
  if (words.switches.has("import")) {
    const lines = await addImported(words, io, path);
    await printText(io, [...lines, `in ${path}`].join("\n"));
    return EXIT.ok;
  }
  const proposed = await withManifest(words, io, dirname(path));
  const named = await namedSource(proposed.words, io, path);
  const lines = await addOne(words, io, path, named);
  await printText(io, [...lines, ...proposed.lines, `in ${path}`].join("\n"));
  const isWaiting = lines.some((line) => line.endsWith(connectCommand(named[0])));
  if (isWaiting) await offerToConnect(words, io, named[0]);
  return EXIT.ok;
};
