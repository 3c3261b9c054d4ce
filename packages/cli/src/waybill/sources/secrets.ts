import { runProgram, scrubEnvironment } from "@waybill/adapters/command";
import type { TokenSource } from "@waybill/adapters/http";
import { fail } from "@waybill/core";
import type { CredentialConfig } from "@waybill/state";

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a secret when it is needed. If the upstream refuses the secret, it is read again. */
export type SecretSource = (refused?: readonly string[]) => Promise<string | undefined>;

const COMMAND_TIMEOUT_MS = 30_000;

/** All secrets that were read, so that they can be removed from everything that is printed. */
export class Secrets {
  readonly #env: Environment;
  readonly #known = new Set<string>();

  constructor(env: Environment) {
    this.#env = env;
  }

  get known(): Iterable<string> {
    return this.#known;
  }

  /**
   * Reads a secret from its configured location. A program runs once, and again if its secret was
   * refused.
   */
  source(credential: CredentialConfig): SecretSource {
    let reading: Promise<string | undefined> | undefined;
    const read = (): Promise<string | undefined> => {
      const begun = this.#read(credential);
      begun.catch(() => {
        if (reading === begun) reading = undefined;
      });
      return (reading = begun);
    };
    return async (refused = []) => {
      const current = reading ?? read();
      const known = await current;
      if (known === undefined || !refused.includes(known)) return known;
      // If several calls are refused at the same time, the secret is read once and all of them use
      // the result.
      return reading === current ? read() : reading;
    };
  }

  /** Remembers secrets that this process got in another way. */
  add(secrets: Iterable<string>): void {
    for (const secret of secrets) this.#known.add(secret);
  }

  /** Remembers the value of every variable that a text refers to as `${env:NAME}`. */
  note(texts: Iterable<string>): void {
    for (const text of texts) {
      for (const [, name = ""] of text.matchAll(/\$\{env:([^}]+)\}/g)) {
        const value = this.#env[name];
        if (value) this.#known.add(value);
      }
    }
  }

  /** Wraps a secret, so that its value is remembered when it is read. */
  watched(secret: TokenSource): SecretSource {
    return async (refused) => {
      const value = typeof secret === "function" ? await secret(refused) : secret;
      if (value) this.#known.add(value);
      return value;
    };
  }

  /** Says in an error where a secret is expected. */
  static hint(credential: CredentialConfig): string {
    return "env" in credential
      ? `set ${credential.env}`
      : `${credential.command[0]} printed nothing`;
  }

  async #read(credential: CredentialConfig): Promise<string | undefined> {
    const text = "env" in credential ? this.#env[credential.env] : await this.#ask(credential);
    const secret = text?.trim() || undefined;
    if (secret !== undefined) this.#known.add(secret);
    return secret;
  }

  async #ask({
    command: [program = "", ...argv],
    cwd,
  }: Extract<CredentialConfig, { readonly command: unknown }>): Promise<string> {
    const deadline = Date.now() + COMMAND_TIMEOUT_MS;
    const env = scrubEnvironment(this.#env);
    const { stdout, exitCode } = await runProgram({ program, argv, env, deadline, cwd });
    if (exitCode === 0) return new TextDecoder().decode(stdout);
    // The output may contain the secret, so only the exit code is reported.
    const message = `${program}, which should print a secret, failed with exit code ${exitCode}`;
    const hint = "Run it in a terminal to see why";
    throw fail("AUTH", message, { outcome: "not_applied", hint });
  }
}
