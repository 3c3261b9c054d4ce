import { isCallError } from "../envelope/index.ts";
import { OperationRegistry } from "../execute/index.ts";
import { attachSource } from "../source/index.ts";
import type { Source } from "../source/index.ts";
import { expectEqual, expectTrue, rejection } from "./contract.ts";
import type { ContractCase } from "./contract.ts";

/** A call that the source under test answers, and its answer. */
export interface SourceExample {
  /** The id of the operation. */
  readonly id: string;
  /** The input of the call. */
  readonly input: unknown;
  /** The data of its answer. */
  readonly data: unknown;
  /** An input that the operation's schema refuses. */
  readonly badInput: unknown;
}

type Statement = (source: Source, example: SourceExample) => Promise<void>;

const STATEMENTS: Readonly<Record<string, Statement>> = {
  "a source lists the same operations in the same order each time": async (source) => {
    const first = (await source.list()).map(({ id }) => id);
    const second = (await source.list()).map(({ id }) => id);
    expectTrue(first.length > 0, "the source lists nothing");
    expectEqual(second, first, "ids");
    expectEqual(new Set(first).size, first.length, "unique ids");
  },
  "a source describes every operation it lists": async (source) => {
    for (const summary of await source.list()) {
      const spec = source.describe(summary.id);
      expectEqual([spec.id, spec.effect], [summary.id, summary.effect], "spec");
      expectTrue(spec.description.length > 0, `${summary.id} has no description`);
    }
  },
  "a source calls the operation and returns its data": async (source, example) => {
    const registry = new OperationRegistry();
    await attachSource(registry, source);
    const envelope = await registry.execute(example.id, example.input);
    expectEqual(envelope.data, example.data, "data");
    expectTrue(envelope.meta.conformance !== "violated", "the output breaks its own schema");
  },
  "a source is not called with an input that its schema refuses": async (source, example) => {
    const registry = new OperationRegistry();
    await attachSource(registry, source);
    const error = await rejection(registry.execute(example.id, example.badInput));
    expectTrue(
      isCallError(error) && error.code === "VALIDATION_ERROR",
      "expected VALIDATION_ERROR",
    );
  },
  "a source that is detached from a registry leaves no operation there": async (source) => {
    const registry = new OperationRegistry();
    const attached = await attachSource(registry, source);
    expectEqual(attached.problems, [], "problems");
    await attached.detach();
    expectEqual(registry.size, 0, "operations left behind");
  },
};

/** The contract of every source. Each case gets a new source. */
export function sourceContract(
  makeSource: () => Source | Promise<Source>,
  example: SourceExample,
): ContractCase[] {
  return Object.entries(STATEMENTS).map(([name, statement]) => ({
    name,
    run: async () => {
      const source = await makeSource();
      try {
        await statement(source, example);
      } finally {
        await source.close();
      }
    },
  }));
}
