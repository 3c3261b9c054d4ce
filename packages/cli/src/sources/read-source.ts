import type { SourceProblem } from "@waybill/core";
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
  /** Why there is nothing at all. */
  readonly failure?: string;
}

const EXAMPLES = 3;

function sentence({ operationId, message }: SourceProblem): string {
  return operationId === "" ? message : `${operationId}: ${message}`;
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
        return { name, kind, operations: listed.length, examples, problems };
      } finally {
        await source.close();
      }
    } catch (error) {
      return { name, kind, operations: 0, examples: [], problems: [], failure: whyNot(error) };
    }
  });
}
