import type { Environment } from "./environment.ts";
import { findProgram } from "./find-program.ts";
import { ghEnvironment } from "./gh-environment.ts";
import { runProgram } from "./run-program.ts";

const QUESTION_MS = 10_000;

export interface GhTokenOptions {
  readonly program?: string;
  readonly host?: string;
  readonly env: Environment;
  readonly configDir?: string | undefined;
}

/**
 * The token that `gh` stores for a host. This only reads the store, whereas `auth status` would
 * send two requests.
 */
export async function ghToken(options: GhTokenOptions): Promise<string | undefined> {
  const { program = "gh", host = "github.com", env, configDir } = options;
  if ((await findProgram(program, env)) === undefined) return undefined;
  const { exitCode, stdout } = await runProgram({
    program,
    argv: ["auth", "token", `--hostname=${host}`],
    env: ghEnvironment({ env, host, configDir }),
    deadline: Date.now() + QUESTION_MS,
  });
  const token = exitCode === 0 ? Buffer.from(stdout).toString("utf8").trim() : "";
  return token === "" ? undefined : token;
}
