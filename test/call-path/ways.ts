import {
  OperationRegistry,
  PendingRequestMap,
  buildCallHandler,
  buildEnv,
  defineOperation,
  agentErrorCode,
  errorFromUnknown,
} from "@waybill/core";
import { cardOperation, prepareCard } from "@waybill/core/cards";
import { inProcessTransport, wireWaybill } from "@waybill/core/protocol";
import type { OperationContext, ResponseEnvelope, ResultEnvelope } from "@waybill/core";
import { createCodeRunner, memoryRunLog, readProgramCalls, runCode } from "@waybill/code";
import type { Shop } from "./shop.ts";

const LOG = memoryRunLog();
/** Runs saved programs, in threads that all tests share. */
export const runner = createCodeRunner({ log: memoryRunLog() });

const REAL_TIME = { deadline: "its thread keeps real time, which a test must not wait for" };

/** A program that makes the call and returns its result. */
function programText(id: string, params: object): string {
  return `const { ok, data, error, meta } = await ${id}.result(${JSON.stringify(params)});
    return ok ? { data, warnings: meta.warnings ?? [] } : { code: error.code, message: error.message };`;
}

/** The result of a call, in the same form for every way to call. */
interface Made {
  readonly data?: unknown;
  readonly warnings?: readonly string[];
  readonly code?: string;
  readonly message?: string;
}

interface Limits {
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  readonly key?: string;
}

export interface Way {
  call(shop: Shop, id: string, params: object, limits?: Limits): Promise<Made>;
  /** The guarantees that this way does not keep, each with the reason. */
  readonly without?: Readonly<Record<string, string>>;
  /** Programs get the data unchanged; readers get it without secrets. */
  readonly isRaw?: boolean;
}

function fromResult({ ok, data, error, meta }: ResultEnvelope): Made {
  const { warnings = [] } = meta;
  return ok ? { data, warnings } : { code: error.code, message: error.message };
}

async function fromResponse(answering: Promise<ResponseEnvelope>): Promise<Made> {
  try {
    const { data, meta } = await answering;
    return { data, warnings: meta.warnings ?? [] };
  } catch (thrown) {
    const error = errorFromUnknown(thrown);
    return { code: agentErrorCode(error), message: error.message };
  }
}

async function firstValue(values: AsyncIterable<ResponseEnvelope>): Promise<ResponseEnvelope> {
  for await (const value of values) return value;
  throw new Error("The subscription ended without a value");
}

function executeOptions({ signal, deadlineMs, key }: Limits): object {
  return {
    ...(signal !== undefined && { signal }),
    ...(deadlineMs !== undefined && { deadline_ms: deadlineMs }),
    ...(key !== undefined && { idempotency_key: key }),
  };
}

type Nested = (context: OperationContext, id: string, params: object) => Promise<ResponseEnvelope>;

/** A handler that makes the call and returns its result. */
function fromHandler(nested: Nested): Way["call"] {
  return async (shop, id, params, limits = {}) => {
    let made: Made = {};
    const via = defineOperation({
      id: "via.handler",
      description: "Calls",
      handler: async (_input, context) => {
        made = await fromResponse(nested(context, id, params));
        return null;
      },
    });
    const waybill = shop.open([...shop.operations, via]);
    const { error } = await waybill.execute("via.handler", {}, executeOptions(limits));
    // After an abort, the outer call does not wait for its handler, so the test does.
    return made.code === undefined && error !== null
      ? { code: error.code, message: error.message }
      : made;
  };
}

const NO_KEY = { keys: "a handler's calls have no key of their own" };
const NO_WAYBILL = {
  policy: "a registry on its own has no policy",
  keys: "a registry on its own has no journal",
};

export const WAYS: Readonly<Record<string, Way>> = {
  execute: {
    call: async ({ waybill }, id, params, limits = {}) =>
      fromResult(await waybill.execute(id, params, executeOptions(limits))),
  },
  subscribe: {
    without: { keys: "a subscription takes no key" },
    call: ({ waybill }, id, params, { signal, deadlineMs } = {}) => {
      const deadline = deadlineMs === undefined ? undefined : Date.now() + deadlineMs;
      const values = waybill.subscribe(id, params, {
        ...(signal !== undefined && { signal }),
        ...(deadline !== undefined && { deadline }),
      });
      return fromResponse(firstValue(values));
    },
  },
  "registry.execute": {
    isRaw: true,
    without: NO_WAYBILL,
    call: ({ operations }, id, params, { signal, deadlineMs } = {}) => {
      const registry = new OperationRegistry();
      for (const operation of operations) registry.register(operation);
      const deadline = deadlineMs === undefined ? undefined : Date.now() + deadlineMs;
      return fromResponse(registry.execute(id, params, { signal, deadline }));
    },
  },
  "buildEnv of a registry": {
    isRaw: true,
    without: { ...NO_WAYBILL, deadline: "it takes no options", abort: "it takes no options" },
    call: ({ operations }, id, params) => {
      const registry = new OperationRegistry();
      for (const operation of operations) registry.register(operation);
      const [namespace = "", name = ""] = id.split(".");
      return fromResponse(buildEnv(registry)[namespace]![name]!(params));
    },
  },
  "a step of a chain": {
    call: async ({ waybill }, id, params, limits = {}) => {
      const steps = [{ id: "one", task: id, input: { $literal: params } }];
      const { results, error } = await waybill.chain(steps, executeOptions(limits));
      return error === null
        ? fromResult(results[0]!)
        : { code: error.code, message: error.message };
    },
  },
  "a step of a card": {
    call: async (shop, id, params, limits = {}) => {
      const card = await prepareCard({
        capability_id: "via.steps",
        version: "1.0.0",
        description: "Calls",
        effect: "write",
        input_schema: { type: "object" },
        output_schema: {},
        steps: [{ id: "one", task: id, input: { $literal: params } }],
        output: "one.data",
      });
      const via = cardOperation(card, { routes: [] });
      const waybill = shop.open([...shop.operations, via]);
      return fromResult(await waybill.execute("via.steps", {}, executeOptions(limits)));
    },
  },
  "context.call": {
    isRaw: true,
    without: NO_KEY,
    call: fromHandler((context, id, params) => context.call(id, params)),
  },
  "context.env": {
    isRaw: true,
    without: NO_KEY,
    call: fromHandler((context, id, params) => context.env.call(id, params)),
  },
  "a probe": {
    isRaw: true,
    without: { ...NO_KEY, settling: "a probe may only read" },
    call: fromHandler((context, id, params) => context.look(id, params)),
  },
  "the call protocol": {
    call: async ({ waybill }, id, params, { signal, deadlineMs, key } = {}) => {
      const { registry } = await wireWaybill(waybill);
      const callMap = new PendingRequestMap({ transport: inProcessTransport() });
      callMap.serve(buildCallHandler({ registry, callMap }), () => registry.list());
      const deadline = deadlineMs === undefined ? undefined : Date.now() + deadlineMs;
      return fromResponse(callMap.call(id, params, { signal, deadline, idempotencyKey: key }));
    },
  },
  "a program": {
    without: REAL_TIME,
    call: async ({ waybill }, id, params, limits = {}) => {
      const options = { log: LOG, ...executeOptions(limits) };
      const ended = await runCode(waybill, programText(id, params), options);
      return ended.ok ? (ended.data as { value: Made }).value : fromResult(ended);
    },
  },
  "a saved program": {
    without: REAL_TIME,
    call: async (shop, id, params, limits = {}) => {
      const code = programText(id, params);
      const { calls = [] } = await readProgramCalls(code);
      const card = await prepareCard({
        capability_id: "via.program",
        version: "1.0.0",
        description: "Calls",
        effect: "write",
        input_schema: { type: "object" },
        output_schema: true,
        calls,
        code,
      });
      const via = cardOperation(card, { routes: [], programs: runner.programs });
      const waybill = shop.open([...shop.operations, via]);
      const ended = await waybill.execute("via.program", {}, executeOptions(limits));
      return ended.ok ? (ended.data as Made) : fromResult(ended);
    },
  },
};
