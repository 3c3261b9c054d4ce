import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { createHttpTransport, documentCache } from "@waybill/adapters/http";
import type { DocumentCache, HttpTransport } from "@waybill/adapters/http";
import { createWaybill, isCallError } from "@waybill/core";
import { matchesId } from "@waybill/core/cards";
import type { McpOffers } from "@waybill/mcp/client";
import type {
  Collision,
  HandleStore,
  Observer,
  Source,
  SourceProblem,
  Waybill,
  WaybillOptions,
} from "@waybill/core";
import {
  findProjectConfig,
  findUserConfig,
  loadConfig,
  openApprovals,
  openHandleStore,
  openJournal,
  openLimits,
} from "@waybill/state";
import { stateFiles } from "@waybill/state/files";
import type { CallSurface, EffectiveConfig, SourceConfig } from "@waybill/state";
import type { ProgramRunner } from "@waybill/core/cards";
import type { Connectable, SignedIn } from "../connect/signed-in.ts";
import { note, warn } from "../io.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";
import { openSources } from "./gather-sources.ts";
import { openCode } from "./open-code.ts";
import { openSource } from "./open-source.ts";
import { openPacks } from "./packs.ts";
import type { Wanted } from "./wanted-parts.ts";
import { keptTexts } from "./kept-texts.ts";
import { lending } from "./lend-waybill.ts";
import type { Opened, OpenedWaybill, Served } from "./opened-waybill.ts";
import { Secrets } from "./sources/secrets.ts";
import type { Surroundings } from "./sources/surroundings.ts";

type Kept = Required<Pick<WaybillOptions, "journal" | "handles" | "approvals">>;

/** Reports an invalid file as a usage error, like an invalid flag. */
export async function orUsageError<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw isCallError(error) ? new UsageError(error.message, error.details) : error;
  }
}

/** The stores in the state folder. Each file is opened by the first call that needs it. */
function keptIn({ state }: EffectiveConfig): Kept {
  const { journal, results, approvals } = stateFiles(state);
  return {
    journal: openJournal({ path: journal }),
    handles: keptTexts(openHandleStore({ path: results })),
    approvals: openApprovals({ path: approvals }),
  };
}

function collisionSentence({ source, operationId, message }: SourceProblem): string {
  const which = operationId === "" || message.startsWith(operationId) ? "" : `${operationId}: `;
  return `source ${source}: ${which}${message}`;
}

/** Prints the sign-in page on stderr, because stdout is for the answer. */
function signInBy(io: Io): (page: URL) => Promise<void> {
  return (page) => note(io, `waybill: sign in with a browser at ${page.href}`);
}

/** HTTP transports, one for each set of allowed private addresses, created on first use. */
function transports(): Pick<Surroundings, "transport"> & { close(): void } {
  const made = new Map<string, HttpTransport>();
  return {
    transport(allowPrivate = false) {
      const key = JSON.stringify(allowPrivate);
      const transport = made.get(key) ?? createHttpTransport({ allowPrivate });
      made.set(key, transport);
      return transport;
    },
    close: () => made.forEach((transport) => transport.close()),
  };
}

/** Loads the code that runs programs when the first one runs. */
function programRunner(config: Pick<EffectiveConfig, "state">): ProgramRunner & { close(): void } {
  let opening: ReturnType<typeof openCode> | undefined;
  return {
    run: async (request) => (await (opening ??= openCode(config))).programs.run(request),
    close: () => void opening?.then((code) => code.close()),
  };
}

/** A cache that stores documents but does not read those of earlier runs. */
function forgetful(cache: DocumentCache): DocumentCache {
  return { ...cache, read: () => Promise.resolve(undefined) };
}

/** Loads the code for connections only if an account was connected. */
async function signedInBy(
  secrets: Secrets,
  name: string,
  config: Connectable,
  { state, env, transport }: Pick<Surroundings, "state" | "env" | "transport">,
): Promise<SignedIn | undefined> {
  if (!existsSync(stateFiles(state).connections)) return undefined;
  const { signedIn } = await import("../connect/signed-in.ts");
  const way = transport(config.allow_private);
  const found = await signedIn(name, config, { state, env, transport: way });
  return found && { ...found, token: secrets.watched(found.token) };
}

/** How sources are opened (default: all options off). */
interface Opening {
  /** Whether to ignore stored operations and documents. */
  readonly isFresh?: boolean;
  /** Whether the process keeps running and has to notice changes. */
  readonly isLasting?: boolean;
  /** Whether MCP servers stay open even if they are idle for long. */
  readonly keepsServers?: boolean;
  /** Whether questions of MCP servers are passed to MCP clients. */
  readonly relaysQuestions?: boolean;
}

/** The dependencies of every source. */
function getSurroundings(
  io: Io,
  { state, places }: EffectiveConfig,
  handles: HandleStore,
  { isFresh = false, isLasting = false, keepsServers = false, ...opening }: Opening = {},
): Surroundings & { close(): void } {
  const { env, cwd } = io;
  const cache = documentCache(stateFiles(state).descriptions);
  const secrets = new Secrets(env);
  const ways = transports();
  const programs = programRunner({ state });
  return {
    env,
    cwd,
    handles,
    state,
    places,
    secrets,
    signedIn: (name, config) => signedInBy(secrets, name, config, { state, env, ...ways }),
    isFresh,
    isLasting,
    keepsServers,
    relaysQuestions: opening.relaysQuestions ?? false,
    offers: [],
    onOldIndex: isLasting ? () => {} : refreshOnce(io),
    documents: isFresh ? forgetful(cache) : cache,
    limits: openLimits(stateFiles(state).limits),
    signIn: signInBy(io),
    programs,
    ...ways,
    close() {
      ways.close();
      programs.close();
    },
  };
}

/** Starts another command in the background, at most once, to refresh old descriptions. */
function refreshOnce({ inBackground }: Io): () => void {
  let isAsked = false;
  return () => {
    if (!isAsked) inBackground?.(["source", "refresh"]);
    isAsked = true;
  };
}

type Open = (name: string, config: SourceConfig) => Promise<Source>;

/** Runs a function that opens the sources itself, so that it sees their current operations. */
export async function withSurroundings<T>(
  io: Io,
  config: EffectiveConfig,
  use: (open: Open, around: Surroundings) => Promise<T>,
  opening: Opening = { isFresh: true },
): Promise<T> {
  const around = getSurroundings(io, config, keptIn(config).handles, opening);
  try {
    return await use((name, source) => openSource(name, source, around), around);
  } finally {
    around.close();
  }
}

async function readSources(
  config: EffectiveConfig,
  around: Surroundings,
  wanted: Wanted,
): Promise<Source[]> {
  const packs = await orUsageError(openPacks(config, around, wanted));
  return [...packs, ...(await openSources(config, around, wanted.ids))];
}

const COLLISIONS_MS = 10_000;

/**
 * The operations of a source that have another name here, because a pack or other cards have their
 * ids. Only cards can collide: other ids start with the unique name of their source.
 */
export async function readCollisions(
  io: Io,
  config: EffectiveConfig,
  name: string,
  source: SourceConfig,
): Promise<readonly Collision[]> {
  if (source.kind !== "cards") return [];
  const around = getSurroundings(io, config, keptIn(config).handles);
  const all = Object.entries({ ...config.sources, [name]: source });
  const cards = Object.fromEntries(all.filter(([, { kind }]) => kind === "cards"));
  const { replace } = config;
  const sources = await readSources({ ...config, sources: cards, untrusted: {} }, around, {});
  const waybill = createWaybill({ sources, replace });
  try {
    await waybill.list_capabilities({ limit: 1, wait_ms: COLLISIONS_MS });
    return waybill.sources().flatMap((state) => (state.name === name ? state.collisions : []));
  } finally {
    around.close();
    await waybill.close();
  }
}

/** Folders of this machine that callers on other machines must not see. */
function ownFolders({ cwd, env }: Io, { state }: EffectiveConfig): string[] {
  const files = [findProjectConfig(cwd, env), findUserConfig(env)];
  const folders = files.flatMap((path) => (path === undefined ? [] : [dirname(path)]));
  return [cwd, state, env["HOME"] || homedir(), ...folders];
}

/**
 * Names the folder and the configuration file, because an agent may start Waybill in an unexpected
 * folder.
 */
function configurationRead({ cwd, env }: Io): string {
  const files = [findProjectConfig(cwd, env), findUserConfig(env)].filter(
    (path) => path !== undefined,
  );
  if (files.length > 0) return `The configuration is ${files.join(" and ")}.`;
  return `There is no waybill.config.json in ${cwd} or above. Pass one with --config FILE.`;
}

/**
 * The surfaces (HTTP, NATS) whose callers are on other machines. They are not told where files are.
 */
const REMOTE: ReadonlySet<CallSurface> = new Set(["http", "nats"]);

/** The surfaces of long-running processes. */
const LASTING: ReadonlySet<CallSurface> = new Set(["http", "inspect", "mcp", "nats"]);

/**
 * The policy names a server's resources and prompts like tools: `files.resources`, `files.prompts`.
 */
function allowedOffers({ offers }: Surroundings, { policy }: EffectiveConfig): McpOffers[] {
  const { allow, deny = [] } = policy;
  return offers.filter(({ source }) =>
    ["resources", "prompts"].every((what) => {
      const id = `${source}.${what}`;
      const isAllowed = allow === undefined || allow.some((pattern) => matchesId(pattern, id));
      return isAllowed && !deny.some((pattern) => matchesId(pattern, id));
    }),
  );
}

/**
 * Each server run is a session. Commands belong to a session only if their environment names one.
 */
function getSession({ env }: Io, isServed: boolean): string | undefined {
  const given = env["WAYBILL_SESSION"];
  if (given !== undefined && given !== "") return given;
  return isServed ? randomUUID().slice(0, 8) : undefined;
}

type CallListener = Pick<Observer, "onCall">;

/** Combines the listeners into one; undefined if there are none, so that no record is created. */
function toldOfCalls(all: readonly (CallListener | undefined)[]): CallListener {
  const listeners = all.filter((each) => each !== undefined);
  if (listeners.length === 0) return {};
  return { onCall: (record) => listeners.forEach((each) => each.onCall?.(record)) };
}

/** Opens the Waybill of a configuration. Opens only the sources that may have the wanted ids. */
export async function openWaybill(
  io: Io,
  config: EffectiveConfig,
  wanted: Wanted,
  { isRecorded = false, via = "run", namesMissing = false, isWarm = false, ...given }: Served,
): Promise<OpenedWaybill> {
  const { audit: log = config.audit, doorSecrets = [], ...more } = given;
  const kept = keptIn(config);
  const isServed = LASTING.has(via);
  const isLasting = isWarm || isServed;
  const around = getSurroundings(io, config, kept.handles, {
    isLasting,
    keepsServers: isWarm,
    relaysQuestions: via === "mcp" || via === "http",
  });
  around.secrets.add(doorSecrets);
  const isKept = isRecorded || config.history === "on";
  // Most calls are not recorded, so the code for it is loaded only when needed.
  const keeping = isKept ? await import("./keep-history.ts") : undefined;
  const history = keeping?.historyIn(config, around.secrets);
  const client = { session: getSession(io, isServed) };
  const recorded = history?.observe(via, client);
  const audit = log && (await import("./keep-audit.ts")).auditIn(io, log, around.secrets);
  const audited = audit?.observe(via);
  const telemetry = isServed ? await (await import("./telemetry.ts")).openTelemetry(io) : undefined;
  const waybill = createWaybill({
    sources: await readSources(config, around, wanted),
    policy: config.policy,
    replace: config.replace,
    ...(REMOTE.has(via)
      ? { hiddenFolders: ownFolders(io, config) }
      : { missingHint: configurationRead(io) }),
    ...(config.expose !== undefined && { expose: config.expose }),
    secrets: () => around.secrets.known,
    observer: {
      ...audited,
      ...toldOfCalls([audited, recorded, telemetry]),
      // Untrusted sources are skipped here, because they were already reported with the
      // configuration.
      onProblem(problem) {
        const isTold = namesMissing && problem.isMissing === true;
        if (isTold || Object.hasOwn(config.untrusted, problem.source)) return;
        warn(io, [collisionSentence(problem)]).catch(() => {});
      },
    },
    ...kept,
    ...(audit !== undefined && { approvals: audit.approvals(kept.approvals) }),
    ...more,
  });
  const upstream = allowedOffers(around, config);
  return {
    waybill,
    opened: { config, history, audit, handles: kept.handles, upstream, client },
    close: async (last) => {
      around.close();
      await waybill.close();
      // An unreachable collector must not fail the command.
      await telemetry?.close().catch(() => {});
      await audit?.close();
      if (history !== undefined) await keeping?.closeHistory(last, history);
    },
  };
}

/**
 * Runs a function with the configured Waybill. In the process of `waybill up`, it is one that is
 * open already.
 */
export async function withWaybill<T>(
  io: Io,
  use: (waybill: Waybill, opened: Opened) => Promise<T>,
  wanted: Wanted = {},
  served: Served = {},
): Promise<T> {
  const config = await orUsageError(loadConfig(io));
  await warn(io, config.warnings);
  const lend = lending.getStore();
  if (lend !== undefined) {
    const { waybill, opened, release } = await lend(io, config, wanted, served);
    return use(waybill, opened).finally(release);
  }
  const { waybill, opened, close } = await openWaybill(io, config, wanted, served);
  try {
    return await use(waybill, opened);
  } finally {
    await close(io);
  }
}
