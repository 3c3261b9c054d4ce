import type { CredentialConfig, EffectiveConfig } from "@waybill/state";
import type { Io } from "../io.ts";
import { Secrets } from "../waybill/sources/secrets.ts";
import { broken, errorText, missingFinding, ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];
const HERE = "nats://127.0.0.1:4222";

/**
 * Whether a secret comes from an environment variable that is not set. Programs that print a secret
 * are not run here.
 */
function isAbsent(credential: CredentialConfig, env: Io["env"]): boolean {
  return "env" in credential && !env[credential.env]?.trim();
}

function getReach({ host = "127.0.0.1", port, hosts, tokens = {} }: HttpSettings): Finding {
  const owners = Object.keys(tokens);
  const isFar = !LOOPBACK.includes(host);
  const shown = host.includes(":") ? `[${host}]` : host;
  const place = `serve http listens on ${shown}${port === undefined ? "" : `:${port}`}`;
  if (isFar && owners.length === 0) {
    return broken("http", `${place} and has no tokens`, "Add callers to http.tokens");
  }
  if (isFar && hosts === undefined) {
    return broken("http", `${place} without host names`, "Add its host names to http.hosts");
  }
  const callers = owners.length === 0 ? "a generated token" : `tokens of ${owners.join(", ")}`;
  return ok("http", `${place} with ${callers}`);
}

type HttpSettings = NonNullable<EffectiveConfig["http"]>;

/** The shortest safe token. Shorter ones can be guessed. */
const MIN_TOKEN = 16;

function isShort(credential: CredentialConfig, env: Io["env"]): boolean {
  const token = "env" in credential ? env[credential.env]?.trim() : undefined;
  return token !== undefined && token !== "" && token.length < MIN_TOKEN;
}

function lookAtHttp(http: HttpSettings, env: Io["env"]): Finding[] {
  const tokens = Object.entries(http.tokens ?? {});
  const lost = tokens.filter(([, { token }]) => isAbsent(token, env));
  const short = tokens.filter(([, { token }]) => isShort(token, env));
  return [
    getReach(http),
    ...short.map(([owner]) =>
      missingFinding(
        `http token ${owner}`,
        "can be guessed",
        `Use at least ${MIN_TOKEN} characters`,
      ),
    ),
    ...lost.map(([owner, { token }]) =>
      missingFinding(
        `http token ${owner}`,
        "is missing",
        `${Secrets.hint(token)}, or remove the entry`,
      ),
    ),
  ];
}

type NatsSettings = NonNullable<EffectiveConfig["nats"]>;

function natsAddress({ servers = HERE, service = "waybill" }: NatsSettings): string {
  // An address may contain a user name and a password.
  const shown = [servers].flat().map((server) => server.replace(/\/\/[^@/]*@/u, "//"));
  return `${service} at ${shown.join(", ")}`;
}

function lookAtNats(nats: NatsSettings, env: Io["env"]): Finding {
  const { key, identity } = nats;
  const place = natsAddress(nats);
  if (key === undefined) {
    return missingFinding(
      "nats",
      `${place}: without a key calls have no identity, and serve nats needs --open`,
      "Configure the key under nats.key",
    );
  }
  if (isAbsent(key, env))
    return missingFinding("nats", `${place}: the key is missing`, Secrets.hint(key));
  const caller = identity === undefined ? "anonymous callers" : identity.id;
  return ok("nats", `${place}, signed, calls by ${caller}; --online connects`);
}

/** Checks the configured servers without starting them. */
export function lookAtDoors({ http, nats }: EffectiveConfig, { env }: Io): Finding[] {
  return [
    ...(http === undefined ? [] : lookAtHttp(http, env)),
    ...(nats === undefined ? [] : [lookAtNats(nats, env)]),
  ];
}

/** Whether the configured NATS server answers. */
export async function tryNats(io: Io): Promise<Finding> {
  const { openLink } = await import("../waybill/nats-link.ts");
  try {
    const { link, server } = await openLink(io, {});
    await link.close();
    return ok("online nats", `connected to ${server}`);
  } catch (error) {
    return missingFinding(
      "online nats",
      errorText(error),
      "Start nats-server, or correct nats.servers",
    );
  }
}
