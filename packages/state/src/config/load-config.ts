import { stateFolder } from "../files/index.ts";
import { PACKS } from "./config.ts";
import type { Config, ConfigFile, EffectiveConfig, SourceOrigin } from "./config.ts";
import { findProjectConfig, findUserConfig } from "./find-config.ts";
import type { Environment } from "./find-config.ts";
import { narrowPolicy } from "./narrow-policy.ts";
import { readConfig } from "./read-config.ts";
import { nameProblem } from "./reserved-names.ts";
import type { SourceConfig } from "./source-config.ts";
import { OWN_POWERS, Trust, settingsIn } from "./trust.ts";

export interface LoadConfigOptions {
  readonly cwd: string;
  readonly env: Environment;
}

type Entry = readonly [name: string, source: SourceConfig];

/** The settings of one file that apply, and the ones that were ignored. */
interface LoadedFile {
  readonly path: string;
  readonly config: Config;
  readonly untrusted: EffectiveConfig["untrusted"];
  readonly warnings: readonly string[];
}

const SAME_NAME = "has a source of this name; rename one of them";

const NONE: LoadedFile = { path: "", config: {}, untrusted: {}, warnings: [] };

/**
 * Quotes a path for a shell, so that the name of a folder cannot add anything to the suggested
 * command.
 */
function quotedPath(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** The command that trusts a file, or one source in it. */
export function trustCommand(path: string, source?: string): string {
  return `waybill trust ${quotedPath(path)}${source === undefined ? "" : ` --source ${source}`}`;
}

/** Splits the sources by whether their names may be used. */
function namedSources({ config }: ConfigFile, taken: Config): [Entry[], string[]] {
  const entries: Entry[] = [];
  const warnings: string[] = [];
  // Whether two names are equal, ignoring case. Names that differ only in case are easily confused.
  const yours = new Set(Object.keys(taken.sources ?? {}).map((name) => name.toLowerCase()));
  const earlier = new Set<string>();
  const problemOf = (name: string, same: string): string | undefined => {
    if (yours.has(same)) return `your own configuration ${SAME_NAME}`;
    return earlier.has(same) ? `the file ${SAME_NAME}` : nameProblem(name);
  };
  for (const [name, source] of Object.entries(config.sources ?? {})) {
    const problem = problemOf(name, name.toLowerCase());
    earlier.add(name.toLowerCase());
    if (problem === undefined) entries.push([name, source]);
    else warnings.push(`the source ${name} is left out: ${problem}`);
  }
  return [entries, warnings];
}

async function userConfig(env: Environment): Promise<LoadedFile> {
  const path = findUserConfig(env);
  if (path === undefined) return NONE;
  const file = await readConfig(path);
  const [entries, warnings] = namedSources(file, {});
  const config = { ...file.config, sources: Object.fromEntries(entries) };
  return { path, config, untrusted: {}, warnings };
}

/**
 * Reads no file of an untrusted source, because a project's files could be made to attack the
 * reader.
 */
async function splitByTrust(
  path: string,
  entries: readonly Entry[],
  trust: Trust,
): Promise<Pick<LoadedFile, "untrusted" | "warnings"> & { readonly sources: Config["sources"] }> {
  const trusted: Entry[] = [];
  const untrusted: [string, EffectiveConfig["untrusted"][string]][] = [];
  for (const [name, source] of entries) {
    const state = await trust.stateOf(name, source);
    if (state === "trusted") trusted.push([name, source]);
    else {
      const what = state === "new" ? "needs trust" : "needs trust again, because it has changed";
      const hint = `Review it in ${path}, then run: ${trustCommand(path, name)}`;
      untrusted.push([name, { kind: source.kind, why: `it ${what}`, hint }]);
    }
  }
  const names = untrusted.map(([name]) => name).join(", ");
  const warning = `${path} has sources that need trust: ${names}; to use them run: ${trustCommand(path)}`;
  return {
    sources: Object.fromEntries(trusted),
    untrusted: Object.fromEntries(untrusted),
    warnings: untrusted.length === 0 ? [] : [warning],
  };
}

function withoutPowers(config: Config): Config {
  const powers = new Set<string>(OWN_POWERS);
  return Object.fromEntries(Object.entries(config).filter(([name]) => !powers.has(name)));
}

/** Without the user's trust, a project file may only narrow the policy. */
async function projectConfig({ cwd, env }: LoadConfigOptions, user: Config): Promise<LoadedFile> {
  const path = findProjectConfig(cwd, env);
  if (path === undefined) return NONE;
  const file = await readConfig(path);
  const trust = await Trust.of(path, env);
  const [entries, warnings] = namedSources(file, user);
  const { sources, ...sorted } = await splitByTrust(path, entries, trust);
  const { replace, ...settings } = file.config;
  const mayAll = await trust.areSettingsTrusted(settings);
  const left = mayAll
    ? []
    : [
        `${path} has settings that need trust: ${settingsIn(settings).join(", ")}; to use them run: ${trustCommand(path)}`,
      ];
  const ignored = `replace in ${path} is ignored: only your own configuration can replace built-in ids`;
  return {
    path,
    config: { ...(mayAll ? settings : withoutPowers(settings)), ...(sources && { sources }) },
    untrusted: sorted.untrusted,
    warnings: [
      ...warnings,
      ...sorted.warnings,
      ...left,
      ...(replace === undefined ? [] : [ignored]),
    ],
  };
}

function chosenStateFolder(user: Config, project: Config, env: Environment): string {
  const isChosen = env["WAYBILL_STATE"] !== undefined && env["WAYBILL_STATE"] !== "";
  return isChosen ? stateFolder(env) : (project.state ?? user.state ?? stateFolder(env));
}

function sourceOrigins(
  { path, config }: LoadedFile,
  origin: SourceOrigin["origin"],
): (readonly [string, SourceOrigin])[] {
  return Object.keys(config.sources ?? {}).map((name) => [name, { origin, path }] as const);
}

/**
 * Loads the settings that apply in a folder: the user's, then the trusted ones of the nearest
 * project file. A project's source never replaces one of the user's with the same name.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<EffectiveConfig> {
  const own = await userConfig(options.env);
  const theirs = await projectConfig(options, own.config);
  const [user, project] = [own.config, theirs.config];
  const nats = project.nats ?? user.nats;
  const expose = project.expose ?? user.expose;
  const http = project.http ?? user.http;
  const audit = user.audit ?? project.audit;
  return {
    sources: { ...user.sources, ...project.sources },
    places: Object.fromEntries([
      ...sourceOrigins(own, "user"),
      ...sourceOrigins(theirs, "project"),
    ]),
    ...(expose !== undefined && { expose }),
    hosts: { ...user.hosts, ...project.hosts },
    packs: project.packs ?? user.packs ?? PACKS,
    ...(http !== undefined && { http }),
    ...(audit !== undefined && { audit }),
    policy: narrowPolicy(user.policy ?? {}, project.policy ?? {}),
    state: chosenStateFolder(user, project, options.env),
    history: [user.history, project.history].includes("on") ? "on" : "off",
    replace: user.replace ?? [],
    untrusted: theirs.untrusted,
    ...(nats !== undefined && { nats }),
    warnings: [...own.warnings, ...theirs.warnings],
  };
}
