import { randomBytes } from "node:crypto";
import type { EffectiveConfig } from "@waybill/state";
import type { BearerToken } from "@waybill/server";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import { Secrets } from "../waybill/sources/secrets.ts";

const TOKEN_BYTES = 24;

/** Who may call a server, and what the user has to be told of it. */
export interface HttpCallers {
  /** Undefined where everyone who reaches the server may. */
  readonly tokens: readonly BearerToken[] | undefined;
  /** The token that was made for this run. */
  readonly made?: string;
}

async function configured(
  tokens: NonNullable<NonNullable<EffectiveConfig["http"]>["tokens"]>,
  io: Io,
): Promise<BearerToken[]> {
  const secrets = new Secrets(io.env);
  return Promise.all(
    Object.entries(tokens).map(async ([id, { token: credential, scopes = [] }]) => {
      const token = await secrets.source(credential)();
      if (token !== undefined) return { token, identity: { id, scopes } };
      throw new UsageError(`The token of ${id} is missing: ${Secrets.hint(credential)}`);
    }),
  );
}

/**
 * The tokens of the configuration. Without any a token is made for this run: other users and
 * programs of this machine reach the server as well, and it holds the user's own credentials.
 */
export async function httpCallers(
  { http }: EffectiveConfig,
  isOpen: boolean,
  io: Io,
): Promise<HttpCallers> {
  const { tokens = {} } = http ?? {};
  if (Object.keys(tokens).length > 0) return { tokens: await configured(tokens, io) };
  if (isOpen) return { tokens: undefined };
  const made = randomBytes(TOKEN_BYTES).toString("base64url");
  return { tokens: [{ token: made }], made };
}
