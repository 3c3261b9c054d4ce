import { errorFromUnknown, fail, isCallError } from "@waybill/core";
import type { Collision, OperationSummary, Source, SourceProblem } from "@waybill/core";
import type { OpenApiSource, SchemeUse } from "@waybill/adapters/openapi";
import type { EffectiveConfig, SourceConfig } from "@waybill/state";
import type { Io } from "../io.ts";
import { readCollisions, withSurroundings } from "../waybill/index.ts";
import { whyNot } from "./describe.ts";
import { emptyReason, uncheckedPatternsIn } from "./source-problems.ts";

/** The result of reading a source. */
export interface SourceReport {
  readonly name: string;
  readonly kind: SourceConfig["kind"];
  readonly operations: number;
  /** Ids of some operations that the user can try. */
  readonly examples: readonly string[];
  /** Problems: parts of the source that are broken or cannot be used here. */
  readonly problems: readonly string[];
  /**
   * Regular expressions in schemas that are not checked, because no engine runs them in linear
   * time.
   */
  readonly unchecked: readonly string[];
  /** Operations that were renamed, because another source already has their ids. */
  readonly collisions: readonly Collision[];
  /** The hosts of an API's servers. Calls go to the first. */
  readonly hosts?: readonly string[];
  /** The security schemes of an API, the usual one first. */
  readonly schemes?: readonly SchemeUse[];
  /** Whether the description refers to other documents that were not read. */
  readonly isSplit?: boolean;
  /** Why the source could not be read. */
  readonly failure?: string;
  /** The next step for the user. */
  readonly hint?: string;
  /** Whether the user has to sign in first. */
  readonly needsSignIn?: true;
}

const EXAMPLES = 3;

/** The report of a source that was not read. */
export function emptyReport(name: string, kind: SourceConfig["kind"]): SourceReport {
  const none = { examples: [], problems: [], unchecked: [], collisions: [] };
  return { name, kind, operations: 0, ...none };
}

function problemSentence({ operationId, message }: SourceProblem): string {
  return operationId === "" ? message : `${operationId}: ${message}`;
}

/** The servers and security schemes in an API's description. */
async function describedBy(
  source: Source,
): Promise<Pick<SourceReport, "hosts" | "schemes" | "isSplit">> {
  if (!("hosts" in source && typeof source.hosts === "function")) return {};
  const described = source as OpenApiSource;
  return {
    hosts: await described.hosts(),
    schemes: await described.schemes(),
    isSplit: await described.isSplit(),
  };
}

/** Operations that cannot be described, and so cannot be called. */
function getBroken(source: Source, listed: readonly OperationSummary[]): string[] {
  return listed.flatMap(({ id }) => {
    try {
      void source.describe(id).inputSchema;
      return [];
    } catch (error) {
      return [`${id}: ${errorFromUnknown(error).message}`];
    }
  });
}

function adviceFrom(error: unknown): Pick<SourceReport, "hint" | "needsSignIn"> {
  if (!isCallError(error)) return {};
  const { hint, status } = error.details;
  return { ...(hint !== undefined && { hint }), ...(status === 401 && { needsSignIn: true }) };
}

const SILENT =
  "Run the command yourself to check that it starts an MCP server. A server that npx or uvx has to download starts faster the second time";

/** Stops waiting after the time limit. The reading itself ends when the source is closed. */
async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const message = `it did not answer within ${ms / 1_000} s`;
    timer = setTimeout(() => reject(fail("TIMEOUT", message, { hint: SILENT })), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Opens a source, lists its operations, and closes it. A server gets a limited time. */
export async function readSource(
  io: Io,
  effective: EffectiveConfig,
  name: string,
  config: SourceConfig,
  serverMs?: number,
): Promise<SourceReport> {
  const { kind } = config;
  return withSurroundings(io, effective, async (open, around) => {
    try {
      const source = await open(name, config);
      try {
        const isBounded = kind === "mcp" && serverMs !== undefined;
        const listed = await (isBounded ? within(source.list(), serverMs) : source.list());
        const examples = listed.slice(0, EXAMPLES).map(({ id }) => id);
        const told = (source.problems?.() ?? []).map(problemSentence);
        const problems = [...told, ...getBroken(source, listed)];
        const collisions = await readCollisions(io, effective, name, config);
        const unchecked = await uncheckedPatternsIn(source, listed);
        const operations = listed.length;
        const described = await describedBy(source);
        const facts = { name, kind, operations, examples, problems, unchecked, collisions };
        const failure = await emptyReason(source, operations, problems);
        if (failure !== undefined) return { ...facts, ...described, failure };
        const { keepIndex } = await import("../waybill/kept-sources.ts");
        await keepIndex(name, config, source, around);
        return { ...facts, ...described };
      } finally {
        await source.close();
      }
    } catch (error) {
      return { ...emptyReport(name, kind), failure: whyNot(error), ...adviceFrom(error) };
    }
  });
}
