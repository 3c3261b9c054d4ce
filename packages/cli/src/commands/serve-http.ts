import { loadConfig } from "@waybill/state";
import type { EffectiveConfig } from "@waybill/state";
import { createMcpHttpHandler } from "@waybill/mcp/server";
import type { McpHttpHandler, McpHttpOptions } from "@waybill/mcp/server";
import type { HttpLimits, HttpServerOptions, InspectorOptions } from "@waybill/server";
import type { Waybill } from "@waybill/core";
import type { RunCommand, Words } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { pageFolder } from "../inspect/page-folder.ts";
import { signedInAccounts } from "../inspect/signed-in-accounts.ts";
import { sourceKinds } from "../inspect/source-kinds.ts";
import { printJson, printText } from "../io.ts";
import type { Io } from "../io.ts";
import { listen, portIn } from "../listen.ts";
import { givenOptions } from "../words/option-values.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { UsageError } from "../words/usage-error.ts";
import { version } from "../version.ts";
import { openCode, orUsageError, withWaybill } from "../waybill/index.ts";
import type { OpenedCode } from "../waybill/index.ts";
import type { Opened } from "../waybill/index.ts";
import { callerLimits, httpCallers } from "./http-callers.ts";
import type { HttpCallers } from "./http-callers.ts";
import { servedTools } from "./serve-tools.ts";
import type { ServedTools } from "./serve-tools.ts";
import { auditIn } from "./serve-audit.ts";

type Place = Pick<HttpServerOptions, "hostname" | "port" | "hosts" | "origins" | "url">;

function listenAddress(words: Words, { http = {} }: EffectiveConfig): Place {
  const port = portIn(words) ?? http.port;
  const hostname = words.values.get("host") ?? http.host;
  const url = http.url?.replace(/\/$/u, "");
  return givenOptions<Place>({ hostname, port, hosts: http.hosts, origins: http.origins, url });
}

/** The configured limits, under the names that the server uses. */
function getLimits({ http }: EffectiveConfig): Partial<HttpLimits> {
  const { limits = {} } = http ?? {};
  return givenOptions<Partial<HttpLimits>>({
    maxBodyBytes: limits.max_body_bytes,
    maxDepth: limits.max_depth,
    requestMs: limits.request_ms,
    callMs: limits.call_ms,
    ...callerLimits(limits),
    halfOpenMs: limits.half_open_ms,
    leaveMs: limits.leave_ms,
    graceMs: limits.grace_ms,
  });
}

/** Prints a line to copy for a person, or JSON for a program. */
function printHttpServer(io: Io, url: string, { tokens, oidc, made }: HttpCallers): Promise<void> {
  if (!io.isTTY) return printJson(io, { url, ...(made !== undefined && { token: made }) });
  const isOpen = tokens === undefined && oidc === undefined;
  const token = made ?? (isOpen ? undefined : "$TOKEN");
  const header = token === undefined ? "" : ` -H "authorization: Bearer ${token}"`;
  const lines = [
    `Waybill listens on ${url}, MCP clients at ${url}/mcp.`,
    "",
    `  curl${header} ${url}/v1/capabilities`,
    "",
    "Ctrl-C stops it.",
  ];
  return printText(io, lines.join("\n"));
}

/** The page of `waybill inspect`, for callers who may see all calls. */
function pageFor({ config, history, handles }: Opened, io: Io): { inspector?: InspectorOptions } {
  const { page } = config.http ?? {};
  if (page === undefined || history === undefined) return {};
  const kinds = sourceKinds(config);
  const accounts = signedInAccounts(config, io);
  const { scope } = page;
  return { inspector: { history, handles, page: pageFolder(), scope, kinds, accounts } };
}

interface Serving {
  readonly place: Place;
  readonly limits: Partial<HttpLimits>;
  readonly callers: HttpCallers;
  readonly tools: ServedTools;
  readonly io: Io;
}

function mcpHandler(
  waybill: Waybill,
  { place, limits, tools }: Serving,
  programs: OpenedCode,
  { handles, upstream }: Opened,
): McpHttpHandler {
  const { hosts, origins } = place;
  const { maxBodyBytes } = limits;
  const own = givenOptions<Partial<McpHttpOptions>>({ hosts, origins, maxBodyBytes });
  const code = tools.hasCode ? { code: programs } : {};
  return createMcpHttpHandler({
    waybill,
    version: version(),
    handles,
    upstream,
    ...own,
    ...tools.options,
    ...code,
  });
}

async function serve(waybill: Waybill, serving: Serving, opened: Opened): Promise<void> {
  const { place, limits, callers, io } = serving;
  const programs = await openCode(opened.config);
  const mcp = mcpHandler(waybill, serving, programs, opened);
  const { tokens, oidc } = callers;
  const { audit } = opened;
  const server = await listen({
    waybill,
    version: version(),
    ...place,
    limits,
    ...(tokens !== undefined && { tokens }),
    ...(oidc !== undefined && { oidc }),
    ...pageFor(opened, io),
    ...(audit !== undefined && { onRefused: (refused) => audit.refused(refused) }),
    code: programs,
    mcp: (request, facts) => mcp.fetch(request, facts),
    onOverdue: (error) => mcp.abort(error),
  });
  try {
    programs.warm();
    await printHttpServer(io, server.url, callers);
    await untilInterrupted(io);
  } finally {
    mcp.end();
    // Waits for running calls first, because closing the MCP handler would cancel its calls.
    await server.close();
    await mcp.close();
    programs.close();
  }
}

/** Callers can search all capabilities, including unlisted ones. */
const SERVED = { unlisted: true };

export const run: RunCommand = async (words, io) => {
  const [extra] = words.positionals;
  if (extra !== undefined) {
    throw new UsageError(
      `waybill serve http takes no arguments, but got ${JSON.stringify(extra)}; leave it out`,
    );
  }
  const config = await orUsageError(loadConfig(io));
  const place = listenAddress(words, config);
  const callers = await httpCallers(config, words.switches.has("open"), io);
  const tools = await servedTools(words, io);
  try {
    const serving = { place, limits: getLimits(config), callers, tools, io };
    const code = words.values.has("root") ? tools.code : "none";
    const wanted = { ...SERVED, code } as const;
    await withWaybill(io, (waybill, opened) => serve(waybill, serving, opened), wanted, {
      isRecorded: true,
      via: "http",
      doorSecrets: (callers.tokens ?? []).map(({ token }) => token),
      ...auditIn(words, io),
    });
  } finally {
    await tools.close();
  }
  return EXIT.ok;
};
