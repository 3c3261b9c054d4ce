import { errorFromUnknown, isCallError } from "@waybill/core";
import { loadConfig } from "@waybill/state";
import type { NatsConfig } from "@waybill/state";
import { connectNats } from "@waybill/nats";
import type { NatsLink, NatsOptions } from "@waybill/nats";
import type { Io } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";
import { orUsageError } from "./open-waybill.ts";
import { Secrets } from "./sources/secrets.ts";

const HERE = "nats://127.0.0.1:4222";

/** Command-line options for a NATS service. They override the configuration. */
export interface NatsWords {
  readonly server?: string | undefined;
  readonly service?: string | undefined;
}

export interface OpenedLink {
  readonly link: NatsLink;
  /** The address of the server. */
  readonly server: string;
  /** The key that signs the identity of callers. Undefined if it is not signed. */
  readonly key: string | undefined;
  /** The configured number of journal copies. */
  readonly replicas: number | undefined;
}

async function readNatsKey({ key }: NatsConfig, { env }: Io): Promise<string | undefined> {
  if (key === undefined) return undefined;
  const secret = await new Secrets(env).source(key)();
  if (secret !== undefined) return secret;
  throw new UsageError("nats.key of the configuration refers to a missing secret", {
    hint:
      "env" in key
        ? `Set the variable ${key.env}`
        : "Check the output of the program that prints it",
  });
}

/** If the command line gives a server's URL, the configured service name is ignored. */
function getService({ server, service }: NatsWords, config: NatsConfig): string | undefined {
  const isNamedByPath = server !== undefined && /^\w+:\/\/[^/]+\/./.test(server);
  return service ?? (isNamedByPath ? undefined : config.service);
}

async function natsOptionsFor(io: Io, words: NatsWords, config: NatsConfig): Promise<NatsOptions> {
  const service = getService(words, config);
  return {
    servers: words.server ?? config.servers ?? HERE,
    key: await readNatsKey(config, io),
    ...(service !== undefined && { service }),
    ...(config.identity !== undefined && { identity: config.identity }),
  };
}

/** Connects to the service that the command line and the configuration name. */
export async function openLink(io: Io, words: NatsWords): Promise<OpenedLink> {
  const { nats = {} } = await orUsageError(loadConfig(io));
  const options = await natsOptionsFor(io, words, nats);
  try {
    const link = await connectNats(options);
    const server = link.connection.getServer();
    return { link, server, key: options.key, replicas: nats.replicas };
  } catch (error) {
    const isMistake = isCallError(error) && error.code === "VALIDATION_ERROR";
    throw isMistake ? new UsageError(errorFromUnknown(error).message) : error;
  }
}
