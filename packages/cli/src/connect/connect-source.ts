import { addressGuard } from "@waybill/adapters/http";
import { CONNECTION_KEY, signIn } from "@waybill/adapters/oauth";
import type { SignInRequest } from "@waybill/adapters/oauth";
import type { OpenApiSource, SchemeUse } from "@waybill/adapters/openapi";
import { signInToServer } from "@waybill/mcp/client";
import type { OAuthSettings } from "@waybill/mcp/client";
import type { Connection, EffectiveConfig, SourceConfig, ValueStore } from "@waybill/state";
import type { Words } from "../command.ts";
import { note } from "../io.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";
import { withSurroundings } from "../waybill/index.ts";
import { isAccountName } from "./account-names.ts";
import { chooseScheme, chooseWay } from "./choose-way.ts";
import { connectionAddress, openConnections } from "./open-connections.ts";
import { personAt, readLine } from "./sign-in-at-terminal.ts";
import { KEY } from "./signed-in.ts";

/** The dependencies that every kind of sign-in has. */
interface Connecting {
  readonly words: Words;
  readonly io: Io;
  readonly effective: EffectiveConfig;
  readonly name: string;
  readonly secrets: ValueStore;
}

type Made = Pick<Connection, "method" | "schemes">;

function personFor({ words, io }: Connecting) {
  const isElsewhere = words.switches.has("no-browser");
  return personAt(io, { isElsewhere, redirectUrl: words.values.get("redirect-url") });
}

async function connectServer(
  connecting: Connecting,
  config: Extract<SourceConfig, { kind: "mcp" }>,
): Promise<Made> {
  const { words, io, secrets } = connecting;
  if (config.url === undefined) {
    throw new UsageError("A local program signs in by itself", {
      hint: `Pass its variables: waybill source add mcp ${config.command} --env NAME --replace`,
    });
  }
  const { authorize, redirectUrl } = personFor(connecting);
  const variable = words.values.get("client-secret-env");
  const clientId = words.values.get("client-id") ?? config.auth?.clientId;
  const clientSecret = variable === undefined ? config.auth?.clientSecret : io.env[variable];
  const scope = words.values.get("scope") ?? config.auth?.scope;
  const identity = {
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scope !== undefined && { scope }),
  };
  const isProgram = (words.values.get("grant") ?? config.auth?.grant) === "client_credentials";
  const auth: OAuthSettings = isProgram
    ? { grant: "client_credentials", clientId: clientId ?? "", ...identity }
    : { ...identity, ...(clientId !== undefined && { clientId }), authorize, redirectUrl };
  const guard = addressGuard(config.allow_private ?? false);
  if (await signInToServer({ url: config.url, auth, tokens: secrets, guard })) {
    return { method: "oauth" };
  }
  throw new UsageError(`${config.url} answers without signing in; there is nothing to connect`);
}

/** Asks the user for a key and stores it. */
async function askKey({ io, name, secrets }: Connecting, way: string): Promise<Made> {
  const what = way === "basic" ? "user:password" : "token or key";
  await note(io, `Paste the ${what} that ${name} takes (${way}), then press Enter:`);
  const key = await readLine(io);
  if (key === "")
    throw new UsageError("No token was entered, so none was stored. Run the command again");
  await secrets.write(KEY, { version: 1, key });
  return { method: way };
}

/** The schemes that send a token in the same way as the chosen one. */
function alike(schemes: readonly SchemeUse[], chosen: SchemeUse): string[] {
  const same = schemes.filter(({ way }) => way === chosen.way).map(({ name }) => name);
  return [...new Set([chosen.name, ...same])];
}

async function tellWhere({ io }: Connecting, { grant, endpoints, scope }: SignInRequest) {
  const host = new URL(endpoints.authorizationUrl ?? endpoints.tokenUrl).host;
  const asked = scope === undefined ? "" : `, asking for ${scope}`;
  await note(io, `Signing in at ${host} (${grant})${asked}`);
}

async function connectApi(
  connecting: Connecting,
  config: Extract<SourceConfig, { kind: "openapi" }>,
): Promise<Made> {
  const { words, io, effective, name, secrets } = connecting;
  return withSurroundings(io, effective, async (open, { transport }) => {
    const source = (await open(name, config)) as OpenApiSource;
    try {
      const schemes = await source.schemes();
      const scheme = await chooseScheme(schemes, words.values.get("scheme"));
      const names = { schemes: alike(schemes, scheme) };
      if (scheme.ways === undefined) {
        return { ...(await askKey(connecting, scheme.way)), ...names };
      }
      const over = transport(config.allow_private);
      const request = await chooseWay(scheme.ways, words, io, over);
      await tellWhere(connecting, request);
      const made = await signIn(request, personFor(connecting), over);
      await secrets.write(CONNECTION_KEY, made);
      return { method: "oauth", ...names };
    } finally {
      await source.close();
    }
  });
}

function connectAny(connecting: Connecting, config: SourceConfig): Promise<Made> {
  if (config.kind === "mcp") return connectServer(connecting, config);
  if (config.kind === "openapi") return connectApi(connecting, config);
  return askKey(connecting, "bearer");
}

/** Signs in to a source and stores the tokens. */
export async function connectSource(
  words: Words,
  io: Io,
  effective: EffectiveConfig,
  name: string,
  config: SourceConfig,
): Promise<Connection> {
  const address = connectionAddress(config);
  if (address === undefined && config.kind !== "mcp") {
    throw new UsageError(`A source of kind ${config.kind} needs no sign-in`);
  }
  const given = words.values.get("account");
  const account = given ?? ("account" in config ? config.account : undefined) ?? "default";
  if (!isAccountName(account)) {
    throw new UsageError("An account name consists of letters, digits and .@:|+/-_", {
      hint: "--account work",
    });
  }
  const which = { address: address ?? "", account };
  const connections = openConnections(effective.state, io.env);
  const connecting = { words, io, effective, name, secrets: connections.secrets(which) };
  const made = await connectAny(connecting, config);
  const connection = { source: name, ...which, ...made, since: new Date().toISOString() };
  await connections.add(connection);
  return connection;
}
