import { createRedactor } from "@waybill/core";
import { isSecretName, keptFor } from "@waybill/core/cards";
import { exactJsonFor } from "@waybill/core/schema";
import type { Attempt, HandleStore, OperationSpec, Redactor } from "@waybill/core";
import type { OneRoute, RouteAnswer, RoutedRequest } from "@waybill/core/cards";
import { scrubEnvironment } from "../environment.ts";
import type { Environment } from "../environment.ts";
import { cleanResult } from "../clean-result.ts";
import { findProgram } from "../find-program.ts";
import { runProgram } from "../run-program.ts";
import { fillArgv } from "./argv-template.ts";
import { commandAnswer } from "./command-answer.ts";
import type { CommandManifest, ManifestOperation } from "./manifest.ts";

export interface CommandRouteOptions {
  /**
   * The environment of the program is taken from here: the usual variables, and those that the
   * manifest names.
   */
  readonly env: Environment;
  readonly cwd?: string | undefined;
  readonly maxOutputBytes?: number | undefined;
  /** Stores output that is not text. */
  readonly handles?: HandleStore | undefined;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** One operation of a program, in the form that the router uses. */
export class CommandRoute implements OneRoute {
  readonly spec: OperationSpec;
  readonly route = "cli";
  readonly host: string;
  readonly #operation: ManifestOperation;
  readonly #options: CommandRouteOptions;
  readonly #env: Record<string, string>;
  /** Knows the secrets that the program gets, because the program may print them. */
  readonly #redactor: Redactor;

  constructor(
    spec: OperationSpec,
    operation: ManifestOperation,
    { program, env: allowed = [] }: CommandManifest,
    options: CommandRouteOptions,
  ) {
    this.spec = spec;
    this.host = program;
    this.#operation = operation;
    this.#options = options;
    this.#env = scrubEnvironment(options.env, allowed);
    const secrets = allowed.filter(isSecretName).flatMap((name) => options.env[name] || []);
    this.#redactor = createRedactor(() => secrets);
  }

  async preflight(): ReturnType<NonNullable<OneRoute["preflight"]>> {
    if ((await findProgram(this.host, this.#env)) !== undefined) return undefined;
    return {
      code: "CLI_NOT_AVAILABLE",
      hint: `${this.host} is not installed; install it, or add its folder to PATH`,
    };
  }

  async send({ params }: RoutedRequest, attempt: Attempt): Promise<RouteAnswer> {
    const argv = fillArgv(this.#operation.argv, params);
    if (attempt.effect !== "read") await attempt.beforeSend();
    const { signal } = attempt;
    const { cwd, maxOutputBytes } = this.#options;
    const printed = await runProgram({
      program: this.host,
      argv,
      env: this.#env,
      stdin: this.#stdin(params),
      deadline: this.#deadline(attempt),
      signal,
      cwd,
      maxOutputBytes,
    });
    try {
      const command = this.#redactor.data([this.host, ...argv]);
      return await commandAnswer(this.#operation, command, cleanResult(printed, this.#redactor), {
        id: this.spec.id,
        handles: keptFor(this.#options.handles, attempt.identity),
      });
    } finally {
      await printed.rest?.close();
    }
  }

  describe({ params }: RoutedRequest): object {
    const argv = fillArgv(this.#operation.argv, params);
    const stdin = this.#stdin(params);
    const command = [this.host, ...argv];
    return this.#redactor.data({ command, ...(stdin !== undefined && { stdin }) });
  }

  #stdin(params: RoutedRequest["params"]): string | undefined {
    const { stdin } = this.#operation;
    const value = stdin === undefined ? undefined : params[stdin];
    if (value === undefined || value === null) return undefined;
    if (typeof value === "string") return value;
    return exactJsonFor(this.#operation.input?.[stdin!] ?? true, value);
  }

  #deadline({ deadline = Infinity }: Attempt): number {
    return Math.min(deadline, Date.now() + (this.#operation.timeout_ms ?? DEFAULT_TIMEOUT_MS));
  }
}
