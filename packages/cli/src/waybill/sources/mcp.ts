import { addressGuard } from "@waybill/adapters/http";
import type { Source } from "@waybill/core";
import { openToolPins, trustCommand } from "@waybill/state";
import { stateFiles } from "@waybill/state/files";
import type { McpSourceConfig } from "@waybill/state";
import { RelayDesk, fileStore, loopbackAuthorize, mcpSource } from "@waybill/mcp/client";
import type { McpServerSource, McpSourceSettings } from "@waybill/mcp/client";
import { connectCommand } from "../../connect/connect-command.ts";
import { signInHint } from "../../connect/sign-in-hint.ts";
import type { Surroundings } from "./surroundings.ts";

/** The longest time that a timer can wait. */
const MAX_DELAY_MS = 2_147_483_647;

type Authorised = Pick<Extract<McpSourceSettings, { url: string }>, "auth" | "tokens">;
type Auth = NonNullable<Extract<McpSourceSettings, { url: string }>["auth"]>;

/**
 * Whether to sign in with the browser, for a person, or with configured credentials, for a program.
 */
export function getAuth(
  { auth }: McpSourceConfig,
  signIn: Surroundings["signIn"],
): { auth?: Auth } {
  if (auth === undefined) return {};
  const { grant = "authorization_code", ...identity } = auth;
  if (grant === "authorization_code") {
    return { auth: { ...identity, grant, authorize: loopbackAuthorize({ open: signIn }) } };
  }
  const { clientId = "", clientSecret = "", ...others } = identity;
  return { auth: { ...others, grant, clientId, clientSecret } };
}

/** The tokens of the connected account. Without one, the configured credentials. */
async function authorised(
  name: string,
  config: McpSourceConfig,
  { signedIn, signIn }: Surroundings,
): Promise<Authorised> {
  const found = await signedIn(name, config);
  if (found === undefined) return getAuth(config, signIn);
  const { clientId, clientSecret, scope } = config.auth ?? {};
  const identity = {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scope !== undefined && { scope }),
  };
  const hint = connectCommand(name, config.account);
  const own = getAuth(config, signIn).auth;
  const isProgram = own?.grant === "client_credentials";
  return { tokens: found.secrets, auth: isProgram ? own : { ...identity, hint } };
}

function limitsFrom({ memory_mb, cpu_seconds }: NonNullable<McpSourceConfig["limits"]>) {
  return {
    ...(memory_mb !== undefined && { memoryMb: memory_mb }),
    ...(cpu_seconds !== undefined && { cpuSeconds: cpu_seconds }),
  };
}

/**
 * Tools that changed since the user trusted them are disabled. A source that is not configured yet
 * has no recorded tools.
 */
function getPins(
  name: string,
  source: McpSourceConfig,
  { places, env }: Surroundings,
): Pick<McpSourceSettings, "pins"> {
  const place = places[name];
  if (place === undefined) return {};
  const { path } = place;
  const command = trustCommand(path, name);
  return {
    pins: { compare: (tools) => openToolPins({ env, path, name, source }).compare(tools), command },
  };
}

async function openServer(
  name: string,
  config: McpSourceConfig,
  around: Surroundings,
): Promise<McpServerSource> {
  const { command, url, args, env, cwd, headers, trusted, isolated, limits } = config;
  around.secrets.note([
    ...Object.values(env ?? {}),
    ...Object.values(headers ?? {}),
    config.auth?.clientSecret ?? "",
  ]);
  const common = {
    name,
    environment: around.env,
    handles: around.handles,
    store: fileStore(stateFiles(around.state).mcp),
    fresh: around.isFresh,
    ...(around.relaysQuestions && { relay: new RelayDesk(name) }),
    ...(around.keepsServers && { idleMs: MAX_DELAY_MS }),
    ...getPins(name, config, around),
    ...(trusted !== undefined && { trusted }),
  };
  if (command === undefined) {
    const sent = headers === undefined ? {} : { headers };
    const reach = { guard: addressGuard(config.allow_private ?? false) };
    const hint = await signInHint(name, config, around);
    const auth = await authorised(name, config, around);
    return mcpSource({
      ...common,
      url: url ?? "",
      signInHint: hint,
      ...sent,
      ...reach,
      ...auth,
    });
  }
  return mcpSource({
    ...common,
    command,
    cwd: cwd ?? around.cwd,
    ...(args !== undefined && { args }),
    ...(env !== undefined && { env }),
    ...(isolated !== undefined && { isolated }),
    ...(limits !== undefined && { limits: limitsFrom(limits) }),
  });
}

/** An MCP server. Its tools are cached, so that a search does not start it. */
export async function openSource(
  name: string,
  config: McpSourceConfig,
  around: Surroundings,
): Promise<Source> {
  const source = await openServer(name, config, around);
  around.offers.push(source.offers);
  return source;
}
