import { stat } from "node:fs/promises";
import type { FactName, FactSource } from "@waybill/core/cards";
import type { Environment } from "./environment.ts";
import { findProgram } from "./find-program.ts";
import { ghEnvironment, tokenFromEnvironment } from "./gh-environment.ts";
import { ghToken } from "./gh-token.ts";
import { runProgram } from "./run-program.ts";
import { TimedCache } from "./timed-cache.ts";

const QUESTION_MS = 10_000;
const LIFETIME_MS = 30_000;
const NEGATIVE_LIFETIME_MS = 5_000;

export interface GhFactsOptions {
  readonly program?: string;
  readonly host?: string;
  readonly env: Environment;
  /** A token for `gh`. If it is set, `gh` is not asked for its login. */
  readonly token?: string | undefined;
  readonly configDir?: string | undefined;
  /** How long a result is cached (default: 30 s). */
  readonly lifetimeMs?: number;
  /** How long a negative result is cached (default: 5 s, because users often fix it soon). */
  readonly negativeLifetimeMs?: number;
  readonly now?: () => number;
}

type Fact = boolean | string | undefined;

/**
 * Shared by all callers in this process, because the version depends only on the program file of
 * `gh`.
 */
const versions = new TimedCache<string, string | undefined>((known) =>
  known === undefined ? NEGATIVE_LIFETIME_MS : LIFETIME_MS,
);

/** The facts about `gh` on this machine. Finding them sends no request to the host. */
export function ghFactSource(options: GhFactsOptions): FactSource {
  const { program = "gh", host = "github.com", env, token, configDir } = options;
  const { lifetimeMs = LIFETIME_MS, negativeLifetimeMs = NEGATIVE_LIFETIME_MS } = options;
  const cache = new TimedCache<FactName, Fact>(
    (known) => (known === undefined || known === false ? negativeLifetimeMs : lifetimeMs),
    options.now,
  );

  const isAvailable = async (): Promise<boolean> => (await findProgram(program, env)) !== undefined;

  const version = async (): Promise<string | undefined> => {
    const file = await findProgram(program, env);
    if (file === undefined) return undefined;
    const { mtimeMs, size } = await stat(file);
    return versions.get(`${file} ${mtimeMs} ${size}`, askVersion);
  };

  const askVersion = async (): Promise<string | undefined> => {
    const { stdout } = await runProgram({
      program,
      argv: ["--version"],
      env: ghEnvironment({ env, host, configDir }),
      deadline: Date.now() + QUESTION_MS,
    });
    return /\bversion v?(\d+(?:\.\d+)+\S*)/u.exec(Buffer.from(stdout).toString("utf8"))?.[1];
  };

  const isAuthenticated = async (): Promise<boolean> => {
    if ((token ?? tokenFromEnvironment(host, env)) !== undefined) return true;
    return (await ghToken({ program, host, env, configDir })) !== undefined;
  };

  const questions: Partial<Record<FactName, () => Promise<Fact>>> = {
    ghAvailable: isAvailable,
    ghVersion: version,
    ghAuthenticated: isAuthenticated,
    host: async () => host,
  };

  /** If the program hangs or cannot be run, the fact stays unknown. */
  async function fact(name: FactName): Promise<Fact> {
    const question = questions[name];
    if (question === undefined) return undefined;
    return cache.get(name, () => question().catch(() => undefined));
  }

  return {
    async facts(names) {
      const found = await Promise.all(names.map(async (name) => [name, await fact(name)] as const));
      return Object.fromEntries(found.filter(([, value]) => value !== undefined));
    },
    forget(names) {
      for (const name of names) cache.forget(name);
    },
  };
}
