import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
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
import { UsageError } from "../usage-error.ts";
import { openSources } from "./gather-sources.ts";
import { openCode } from "./open-code.ts";
import { openSource } from "./open-source.ts";
import { openPacks } from "./packs.ts";
import type { Wanted } from "./wanted.ts";
import { keptTexts } from "./kept-texts.ts";
import { lending } from "./lending.ts";
import type { Opened, OpenedWaybill, Served } from "./opened.ts";
import { Secrets } from "./sources/secrets.ts";
import type { Surroundings } from "./sources/surroundings.ts";

type Kept = Required<Pick<WaybillOptions, "journal" | "handles" | "approvals">>;

/** A file that cannot be understood is a mistake of the same kind as a flag that cannot be. */
export async function orUsageError<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw isCallError(error) ? new UsageError(error.message, error.details) : error;
  }
}

/** Each file of the state folder is opened by the first call that needs it. */
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

/** Standard output carries the answer, so the page to sign in at is told beside it. */
function signInBy(io: Io): (page: URL) => Promise<void> {
  return (page) => note(io, `waybill: sign in with a browser at ${page.href}`);
}

/** A way out to HTTP for each set of addresses that may be reached, made when it is first needed. */
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

/** Opens what runs programs with the first of them. */
function programRunner(config: Pick<EffectiveConfig, "state">): ProgramRunner & { close(): void } {
  let opening: ReturnType<typeof openCode> | undefined;
  return {
    run: async (request) => (await (opening ??= openCode(config))).programs.run(request),
    close: () => void opening?.then((code) => code.close()),
  };
}

/** Remembers for the next time, and has forgotten until now. */
function forgetful(cache: DocumentCache): DocumentCache {
  return { ...cache, read: () => Promise.resolve(undefined) };
}

/** Loads the code of connections only where somebody has signed in. */
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

/** How sources are opened (default: neither fresh nor lasting). */
interface Opening {
  /** Ignores what is remembered of a source. */
  readonly isFresh?: boolean;
  /** The process stays, and has to notice what changes. */
  readonly isLasting?: boolean;
  /** MCP servers stay open however long they are not used. */
  readonly keepsServers?: boolean;
  /** Passes questions of MCP servers on to MCP clients. */
  readonly relaysQuestions?: boolean;
}

/** The environment of every source here. */
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

/** Starts another command for work that this one has no time for. */
function refreshOnce({ inBackground }: Io): () => void {
  let isAsked = false;
  return () => {
    if (!isAsked) inBackground?.(["source", "refresh"]);
    isAsked = true;
  };
}

type Open = (name: string, config: SourceConfig) => Promise<Source>;

/** Runs something that opens sources by itself, to see what they have now. */
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
 * The operations of a source that are called otherwise here, because a pack or other cards have
 * their ids. The ids of all but cards begin with the name of the source, which nobody else has.
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

/** An agent's program may start Waybill in another folder than its user expects. */
function configurationRead({ cwd, env }: Io): string {
  const files = [findProjectConfig(cwd, env), findUserConfig(env)].filter(
    (path) => path !== undefined,
  );
  if (files.length > 0) return `The configuration is ${files.join(" and ")}.`;
  return `There is no waybill.config.json in ${cwd} or above. Pass one with --config FILE.`;
}

/** The doors of processes that stay. */
const LASTING: ReadonlySet<CallSurface> = new Set(["http", "inspect", "mcp", "nats"]);

/** Policy names a server's resources and prompts like its tools: `files.resources`, `files.prompts`. */
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

/** A server is a session of its own; commands belong to one only if their environment names it. */
function getSession({ env }: Io, isServed: boolean): string | undefined {
  const given = env["WAYBILL_SESSION"];
  if (given !== undefined && given !== "") return given;
  return isServed ? randomUUID().slice(0, 8) : undefined;
}

type CallListener = Pick<Observer, "onCall">;

/** Tells all of them of each call; nothing is made for calls that nobody is told of. */
function toldOfCalls(all: readonly (CallListener | undefined)[]): CallListener {
  const listeners = all.filter((each) => each !== undefined);
  if (listeners.length === 0) return {};
  return { onCall: (record) => listeners.forEach((each) => each.onCall?.(record)) };
}

/** Opens the Waybill of a configuration. Only the sources are opened that may have what is wanted. */
export async function openWaybill(
  io: Io,
  config: EffectiveConfig,
  wanted: Wanted,
  { isRecorded = false, via = "run", namesMissing = false, isWarm = false, ...given }: Served,
): Promise<OpenedWaybill> {
  const { audit: log = config.audit, ...more } = given;
  const kept = keptIn(config);
  const isServed = LASTING.has(via);
  const isLasting = isWarm || isServed;
  const around = getSurroundings(io, config, kept.handles, {
    isLasting,
    keepsServers: isWarm,
    relaysQuestions: via === "mcp" || via === "http",
  });
  const isKept = isRecorded || config.history === "on";
  // Most calls are not kept, and do without what keeping takes.
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
    missingHint: configurationRead(io),
    ...(config.expose !== undefined && { expose: config.expose }),
    secrets: () => around.secrets.known,
    observer: {
      ...audited,
      ...toldOfCalls([audited, recorded, telemetry]),
      // Sources that wait for trust were reported with the configuration.
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
      // A collector that is away must not fail what was served.
      await telemetry?.close().catch(() => {});
      await audit?.close();
      if (history !== undefined) await keeping?.closeHistory(last, history);
    },
  };
}

/**
 * Runs something with the Waybill that is configured where the command was called: with one that is
 * open already, in the process of `waybill up`.
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
