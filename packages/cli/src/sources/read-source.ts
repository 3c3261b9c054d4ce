import { isCallError } from "@waybill/core";
import type { Source, SourceProblem } from "@waybill/core";
import type { OpenApiSource } from "@waybill/adapters/openapi";
import type { EffectiveConfig, SourceConfig } from "@waybill/local";
import type { Io } from "../io.ts";
import { withSurroundings } from "../waybill/index.ts";
import { whyNot } from "./describe.ts";

/** What reading a source showed. */
export interface SourceReport {
  readonly name: string;
  readonly kind: SourceConfig["kind"];
  readonly operations: number;
  /** Some of them, to try. */
  readonly examples: readonly string[];
  readonly problems: readonly string[];
  /** Where its servers are, of an API with a description; calls go to the first. */
  readonly hosts?: readonly string[];
  /** Why there is nothing at all. */
  readonly failure?: string;
  /** What to do about it. */
  readonly hint?: string;
}

const EXAMPLES = 3;

function sentence({ operationId, message }: SourceProblem): string {
  return operationId === "" ? message : `${operationId}: ${message}`;
}

/** A description says where its API is. */
async function hostsOf(source: Source): Promise<{ hosts?: readonly string[] }> {
  const asked = "hosts" in source && typeof source.hosts === "function" ? source : undefined;
  return asked === undefined ? {} : { hosts: await (asked as OpenApiSource).hosts() };
}

function hintOf(error: unknown): { hint?: string } {
  const hint = isCallError(error) ? error.details.hint : undefined;
  return hint === undefined ? {} : { hint };
}

/** Opens a source, lists what it has, and closes it. */
export async function readSource(
  io: Io,
  effective: EffectiveConfig,
  name: string,
  config: SourceConfig,
): Promise<SourceReport> {
  const { kind } = config;
  return withSurroundings(io, effective, async (open) => {
    try {
      const source = await open(name, config);
      try {
        const listed = await source.list();
        const examples = listed.slice(0, EXAMPLES).map(({ id }) => id);
        const problems = (source.problems?.() ?? []).map(sentence);
        const facts = { name, kind, operations: listed.length, examples, problems };
        return { ...facts, ...(await hostsOf(source)) };
      } finally {
        await source.close();
      }
    } catch (error) {
      const nothing = { name, kind, operations: 0, examples: [], problems: [] };
      return { ...nothing, failure: whyNot(error), ...hintOf(error) };
    }
  });
}
