import { PendingRequestMap, buildCallHandler } from "../calls/index.ts";
import type { CallTransport } from "../calls/index.ts";
import { fail, isCallError, isResponseEnvelope } from "../envelope/index.ts";
import type { CallError, ResponseEnvelope } from "../envelope/index.ts";
import { defineOperation, defineSubscription } from "../operation/index.ts";
import { OperationRegistry } from "../execute/index.ts";
import { eventually, expectEqual, expectTrue, rejection } from "./contract.ts";
import type { ContractCase } from "./contract.ts";

/** Counts what happens on the serving side, so that the requesting side can check it. */
interface Witness {
  hanging: number;
  aborts: string[];
  produced: number;
  closed: number;
}

interface Setup {
  readonly caller: PendingRequestMap;
  readonly server: PendingRequestMap;
  readonly transport: CallTransport;
  readonly witness: Witness;
  readonly stop: () => void;
}

function numbers(witness: Witness): ReturnType<typeof defineSubscription> {
  return defineSubscription({
    id: "contract.numbers",
    description: "Counts",
    effect: "read",
    input: { type: "object", properties: { count: { type: "integer" } } },
    async *handler({ count }) {
      try {
        for (let value = 0; value < (count ?? Infinity); value++) {
          witness.produced += 1;
          yield value;
        }
      } finally {
        witness.closed += 1;
      }
    },
  });
}

function hang(witness: Witness): ReturnType<typeof defineOperation> {
  return defineOperation({
    id: "contract.hang",
    description: "Never answers",
    effect: "read",
    handler: (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        witness.hanging += 1;
        signal.addEventListener("abort", () => {
          witness.aborts.push((signal.reason as CallError).code);
          reject(signal.reason as CallError);
        });
      }),
  });
}

function operations(witness: Witness): OperationRegistry {
  const registry = new OperationRegistry();
  registry.register(
    defineOperation({
      id: "contract.echo",
      description: "Answers what it gets",
      effect: "read",
      handler: (input) => input,
    }),
  );
  registry.register(
    defineOperation({
      id: "contract.refuse",
      description: "Always fails",
      effect: "read",
      handler: () => {
        throw fail("CONFLICT", "not now", { hint: "later" });
      },
    }),
  );
  registry.register(
    defineOperation({
      id: "contract.nothing",
      description: "Returns nothing",
      effect: "read",
      handler: () => undefined,
    }),
  );
  registry.register(hang(witness));
  registry.register(numbers(witness));
  return registry;
}

function setUp(transport: CallTransport): Setup {
  const witness: Witness = { hanging: 0, aborts: [], produced: 0, closed: 0 };
  const registry = operations(witness);
  const server = new PendingRequestMap({ transport });
  const handler = buildCallHandler({ registry, callMap: server });
  const stop = server.serve(handler, () => registry.list());
  return { caller: new PendingRequestMap({ transport }), server, transport, witness, stop };
}

async function asCallError(promise: Promise<unknown>): Promise<CallError> {
  const error = await rejection(promise);
  expectTrue(isCallError(error), `expected a CallError, got ${String(error)}`);
  return error;
}

/**
 * Tries longer and longer deadlines, because on a busy machine a short one may end before the
 * handler is called.
 */
async function untilSpentThere(
  witness: Witness,
  call: (milliseconds: number) => Promise<void>,
): Promise<void> {
  for (let milliseconds = 30; witness.hanging === 0; milliseconds *= 4) {
    expectTrue(milliseconds < 60_000, "no deadline was long enough to reach the handler");
    await call(milliseconds);
  }
}

type Statement = (setup: Setup) => Promise<void>;

const STATEMENTS: Readonly<Record<string, Statement>> = {
  "a call returns the handler's value in an envelope": async ({ caller }) => {
    const envelope = await caller.call("contract.echo", { text: "grüße 👋", list: [1, null] });
    expectEqual(envelope.data, { text: "grüße 👋", list: [1, null] }, "data");
    expectEqual(envelope.meta.source, "local", "source");
  },
  "a call of a handler that returns nothing gets an envelope": async ({ caller }) => {
    const envelope = await caller.call("contract.nothing");
    expectTrue(isResponseEnvelope(envelope), "the answer is not an envelope");
    expectEqual(envelope.data ?? null, null, "data");
  },
  "a call refuses an answer that is not an envelope": async ({ caller, transport, stop }) => {
    stop();
    const raw = "not an envelope" as unknown as ResponseEnvelope;
    transport.serve(
      ({ requestId }, requester) => {
        requester.hear({ type: "call.responded", requestId, output: raw });
        return { cancel: () => {}, credit: () => {} };
      },
      () => [],
    );
    const error = await asCallError(caller.call("contract.echo"));
    expectEqual([error.code, error.details.outcome], ["OUTCOME_UNKNOWN", "unknown"], "error");
  },
  "the error of a call keeps its code, message and details through the transport": async ({
    caller,
  }) => {
    const error = await asCallError(caller.call("contract.refuse"));
    expectEqual(error.code, "EXECUTION_ERROR", "code");
    expectEqual(error.message, "not now", "message");
    expectEqual([error.details.code, error.details.hint], ["CONFLICT", "later"], "details");
  },
  "a call of an unknown operation fails at once": async ({ caller }) => {
    const error = await asCallError(caller.call("contract.ecko"));
    expectEqual(error.code, "OPERATION_NOT_FOUND", "code");
    expectEqual(error.details.did_you_mean?.[0], "contract.echo", "did_you_mean");
  },
  "a call fails at once if no server is connected": async ({ caller, stop }) => {
    stop();
    const error = await asCallError(caller.call("contract.echo"));
    expectEqual([error.details.code, error.details.outcome], ["NETWORK", "not_applied"], "details");
  },
  "each of 100 concurrent calls gets the answer to its own request": async ({
    caller,
    transport,
  }) => {
    const other = new PendingRequestMap({ transport });
    const calls = Array.from({ length: 100 }, (_, index) =>
      (index % 2 === 0 ? caller : other).call("contract.echo", { index }),
    );
    const answers = await Promise.all(calls);
    answers.forEach(({ data }, index) => expectEqual(data, { index }, `answer ${index}`));
  },
  "a caller cannot answer or abort the request of another caller": async ({
    caller,
    transport,
  }) => {
    const intruder = new PendingRequestMap({ transport });
    const envelope = await new PendingRequestMap().call("x.y").catch(() => undefined);
    expectTrue(envelope === undefined, "an unserved map answers nothing");
    const call = caller.call("contract.hang", {}, { requestId: "victim" });
    const forged = {
      data: "forged",
      meta: { source: "local", operationId: "a.b", timestamp: 0 },
    } as const;
    expectTrue(!intruder.respond("victim", forged), "a peer answered a request it does not serve");
    expectTrue(!intruder.abort("victim"), "a peer aborted a request that is not its own");
    caller.abort("victim");
    expectEqual((await asCallError(call)).code, "ABORTED", "code");
  },
  "a deadline ends a call for the caller and for the handler": async ({ caller, witness }) => {
    await untilSpentThere(witness, async (milliseconds) => {
      const call = caller.call("contract.hang", {}, { deadline: Date.now() + milliseconds });
      expectEqual((await asCallError(call)).code, "TIMEOUT", "code");
    });
    await eventually(() => witness.aborts.length === 1, "the handler was not told of the deadline");
    expectEqual(witness.aborts, ["TIMEOUT"], "the handler's signal");
  },
  "an aborted call aborts its handler": async ({ caller, witness }) => {
    const call = caller.call("contract.hang", {}, { requestId: "given-up" });
    await eventually(() => witness.hanging === 1, "the handler was not called");
    caller.abort("given-up", "changed my mind");
    expectEqual((await asCallError(call)).code, "ABORTED", "code");
    await eventually(() => witness.aborts.length === 1, "the handler was not told of the abort");
  },
  "a subscription delivers all values in order, with sequence numbers": async ({ caller }) => {
    const seen: unknown[] = [];
    for await (const { data, meta } of caller.subscribe("contract.numbers", { count: 50 })) {
      seen.push([data, meta.sequence]);
    }
    const expected = Array.from({ length: 50 }, (_, index) => [index, index]);
    expectEqual(seen, expected, "values");
  },
  "the producer of a subscription waits while the consumer has its full window of values": async ({
    caller,
    witness,
  }) => {
    const values = caller.subscribe("contract.numbers", {}, { window: 4 });
    await values.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expectTrue(witness.produced <= 8, `produced ${witness.produced} values for one that was taken`);
    await values.return?.();
  },
  "the producer of a subscription is closed when the consumer stops": async ({
    caller,
    witness,
  }) => {
    for await (const { data } of caller.subscribe("contract.numbers", {})) {
      if (data === 3) break;
    }
    await eventually(() => witness.closed === 1, "the producer was left open");
  },
  "a subscription without values ends with TIMEOUT after its idle timeout": async ({ caller }) => {
    const values = caller.subscribe("contract.hang", {}, { idleTimeout: 30 });
    expectEqual((await asCallError(values.next())).code, "TIMEOUT", "code");
  },
  "discover lists the served operations": async ({ caller }) => {
    const ids = (await caller.discover()).map(({ id }) => id);
    expectTrue(ids.includes("contract.echo"), `discovered ${ids.join(", ")}`);
  },
};

/** The contract of every transport of the call protocol. Each case gets a new transport. */
export function transportContract(
  makeTransport: () => CallTransport | Promise<CallTransport>,
): ContractCase[] {
  return Object.entries(STATEMENTS).map(([name, statement]) => ({
    name,
    run: async () => {
      const setup = setUp(await makeTransport());
      try {
        await statement(setup);
      } finally {
        await setup.caller.close();
      }
    },
  }));
}
