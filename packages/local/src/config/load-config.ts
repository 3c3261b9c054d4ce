import { stateFolder } from "../state.ts";
import { PACKS } from "./config.ts";
import type { Config, EffectiveConfig } from "./config.ts";
import { findProjectConfig, findUserConfig } from "./find-config.ts";
import type { Environment } from "./find-config.ts";
import { narrowPolicy } from "./narrow-policy.ts";
import { readConfig } from "./read-config.ts";
import { isTrusted, needingTrust, powersOf, withoutPowers } from "./trust.ts";

export interface LoadConfigOptions {
  readonly cwd: string;
  readonly env: Environment;
}

interface ProjectConfig {
  readonly config: Config;
  readonly untrusted: EffectiveConfig["untrusted"];
  readonly warnings: readonly string[];
}

async function userConfig(env: Environment): Promise<Config> {
  const path = findUserConfig(env);
  return path === undefined ? {} : (await readConfig(path)).config;
}

/** As a shell takes it: a folder's name must not become part of the command that is suggested. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** A project's file came with the project, so what could do harm waits for the user's word. */
async function projectConfig({ cwd, env }: LoadConfigOptions): Promise<ProjectConfig> {
  const path = findProjectConfig(cwd);
  if (path === undefined) return { config: {}, untrusted: {}, warnings: [] };
  const file = await readConfig(path);
  const powers = powersOf(file.config);
  if (powers.length === 0 || (await isTrusted(file, env))) {
    return { config: file.config, untrusted: {}, warnings: [] };
  }
  const command = `waybill trust ${quoted(path)}`;
  const warning = `left out, for ${path} is not trusted: ${powers.join(", ")}; to let it count run: ${command}`;
  const untrusted = needingTrust(file.config).map(([name, kind, lacks]) => {
    const why = `${path} is not trusted, for which ${lacks.join(", ")} must wait; run: ${command}`;
    return [name, { kind, why }] as const;
  });
  return {
    config: withoutPowers(file.config),
    untrusted: Object.fromEntries(untrusted),
    warnings: [warning],
  };
}

function stateOf(user: Config, project: Config, env: Environment): string {
  const isChosen = env["WAYBILL_STATE"] !== undefined && env["WAYBILL_STATE"] !== "";
  return isChosen ? stateFolder(env) : (project.state ?? user.state ?? stateFolder(env));
}

/** Calls that used to go to one place go to another: allowed, but not in silence. */
function replacedSources(user: Config, project: Config): string[] {
  return Object.keys(project.sources ?? {})
    .filter((name) => Object.hasOwn(user.sources ?? {}, name))
    .map((name) => `the source ${name} is this project's, not the one of your own configuration`);
}

/**
 * The settings that count in a folder: the nearest project file's, then the user's. A source of the
 * project replaces the user's of the same name as a whole, so that no token follows it elsewhere.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<EffectiveConfig> {
  const [user, project] = await Promise.all([userConfig(options.env), projectConfig(options)]);
  const { config } = project;
  const nats = config.nats ?? user.nats;
  const expose = config.expose ?? user.expose;
  const http = config.http ?? user.http;
  return {
    sources: { ...user.sources, ...config.sources },
    ...(expose !== undefined && { expose }),
    hosts: { ...user.hosts, ...config.hosts },
    packs: config.packs ?? user.packs ?? PACKS,
    ...(http !== undefined && { http }),
    policy: narrowPolicy(user.policy ?? {}, config.policy ?? {}),
    state: stateOf(user, config, options.env),
    history: [user.history, config.history].includes("on") ? "on" : "off",
    untrusted: project.untrusted,
    ...(nats !== undefined && { nats }),
    warnings: [...project.warnings, ...replacedSources(user, config)],
  };
}
