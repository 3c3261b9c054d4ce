import { describe, expect, it } from "vitest";
import { CallError, localEnvelope } from "../envelope/index.ts";
import { AbortNode } from "../operation/index.ts";
import { PendingRequestMap, inProcessTransport } from "./index.ts";
import type { CallEvent, CallHandler, CallRequestedEvent } from "./index.ts";

const hang = (): Promise<never> => new Promise(() => {});

interface Setup {
  readonly map: PendingRequestMap;
  readonly events: CallEvent[];
  readonly requests: CallRequestedEvent[];
}

/** A map that serves its own requests with a handler, and the events that it published. */
function setUp(makeHandler: (map: PendingRequestMap) => CallHandler): Setup {
  const events: CallEvent[] = [];
  const requests: CallRequestedEvent[] = [];
  const map = new PendingRequestMap({ observe: (event) => events.push(event) });
  const handler = makeHandler(map);
  map.serve((request, served) => {
    requests.push(request);
    return handler(request, served);
  });
  return { map, events, requests };
}

const echoing = (map: PendingRequestMap): CallHandler => {
  return async ({ requestId, operationId, input }) => {
    map.respond(requestId, localEnvelope(input, operationId));
  };
};

describe("PendingRequestMap.call", () => {
  it("PendingRequestMap.call sends all its options and returns the envelope", async () => {
    const { map, requests, events } = setUp(echoing);
    const options = {
      requestId: "r1",
      parentRequestId: "r0",
      identity: { id: "ada", scopes: [] },
      deadline: Date.now() + 60_000,
      idempotencyKey: "k",
      trace: { traceparent: "00" },
    };
    const { data } = await map.call("issue.view", { number: 1 }, options);
    expect(data).toEqual({ number: 1 });
    const request = { type: "call.requested", operationId: "issue.view", input: { number: 1 } };
    expect(requests).toEqual([{ ...request, ...options }]);
    expect(events.map(({ type }) => type)).toEqual(["call.requested", "call.responded"]);
    expect(map.size).toBe(0);
  });

  it("PendingRequestMap.call creates a request id if the caller gives none", async () => {
    const { map, requests } = setUp(echoing);
    await Promise.all([map.call("a.b"), map.call("a.b")]);
    const ids = requests.map(({ requestId }) => requestId);
    expect(new Set(ids).size).toBe(2);
  });

  it("a pending call fails with the first error that is emitted for it", async () => {
    const { map } = setUp((own) => async ({ requestId }) => {
      own.emitError(requestId, "EXECUTION_ERROR", "no", { code: "CONFLICT" });
      expect(own.emitError(requestId, "TIMEOUT", "again")).toBe(false);
    });
    await expect(map.call("a.b")).rejects.toMatchObject({
      code: "EXECUTION_ERROR",
      message: "no",
      details: { code: "CONFLICT" },
    });
    expect(map.size).toBe(0);
  });

  it("an error that is emitted without details gets empty details", async () => {
    const { map, events } = setUp((own) => async ({ requestId }) => {
      own.emitError(requestId, "TIMEOUT", "late");
    });
    await expect(map.call("a.b")).rejects.toMatchObject({ code: "TIMEOUT", details: {} });
    expect(events.at(-1)).not.toHaveProperty("details");
  });

  it("a pending call that completes without an answer has an unknown outcome", async () => {
    const { map } = setUp((own) => async ({ requestId }) => {
      own.complete(requestId);
    });
    await expect(map.call("a.b")).rejects.toMatchObject({
      code: "OUTCOME_UNKNOWN",
      details: { outcome: "unknown" },
    });
  });

  it("a pending call fails at once if its handler ends without an answer", async () => {
    const { map } = setUp(() => async () => {});
    await expect(map.call("a.b")).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
    expect(map.size).toBe(0);
  });

  it.each([
    ["rejects", () => Promise.reject(new Error("broken"))],
    [
      "throws",
      (): never => {
        throw new Error("broken");
      },
    ],
  ])("a pending call fails if its handler %s", async (_how, handler) => {
    const { map } = setUp(() => handler);
    const call = map.call("a.b", {}, { requestId: "r1" });
    await expect(call).rejects.toMatchObject({ code: "EXECUTION_ERROR", message: "broken" });
    expect(map.size).toBe(0);
    await expect(map.call("a.b", {}, { requestId: "r1" })).rejects.toThrow("broken");
  });

  it("a pending call can be answered by a handler that returns no promise", async () => {
    const { map } = setUp((own) => ({ requestId, operationId }) => {
      own.respond(requestId, localEnvelope("plain", operationId));
      return undefined as never;
    });
    expect((await map.call("a.b")).data).toBe("plain");
  });

  it("a pending call returns its first answer and ignores later answers", async () => {
    const { map } = setUp((own) => async ({ requestId }) => {
      own.respond(requestId, localEnvelope("first", "a.b"));
      own.respond(requestId, localEnvelope("second", "a.b"));
      own.emitError(requestId, "TIMEOUT", "third");
    });
    expect((await map.call("a.b")).data).toBe("first");
  });

  it("a pending call's request id is refused for a second call, and the first call continues", async () => {
    const { map } = setUp(() => hang);
    const first = map.call("a.b", {}, { requestId: "same" });
    await expect(map.call("a.b", {}, { requestId: "same" })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: { outcome: "not_applied" },
    });
    expect(map.size).toBe(1);
    map.abort("same");
    await expect(first).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("PendingRequestMap refuses a request id that another caller of the same server uses", async () => {
    const transport = inProcessTransport();
    const server = new PendingRequestMap({ transport });
    server.serve(hang);
    const [one, other] = [
      new PendingRequestMap({ transport }),
      new PendingRequestMap({ transport }),
    ];
    const first = one.call("a.b", {}, { requestId: "same" });
    await expect(other.call("a.b", {}, { requestId: "same" })).rejects.toThrow("is in use");
    one.abort("same");
    await expect(first).rejects.toMatchObject({ code: "ABORTED" });
  });
});

describe("PendingRequestMap.respond", () => {
  it("PendingRequestMap.respond accepts only a ResponseEnvelope", async () => {
    const { map } = setUp((own) => async ({ requestId, operationId }) => {
      for (const value of [1, null, { data: 1 }, { data: 1, meta: { source: "local" } }]) {
        expect(() => own.respond(requestId, value as never)).toThrow("takes a ResponseEnvelope");
      }
      own.respond(requestId, localEnvelope("fine", operationId));
    });
    expect((await map.call("a.b")).data).toBe("fine");
  });

  it("PendingRequestMap.respond ignores unknown and finished requests", async () => {
    const { map, events } = setUp(echoing);
    const envelope = localEnvelope(1, "a.b");
    expect(map.respond("unknown", envelope)).toBe(false);
    expect(map.emitError("unknown", "TIMEOUT", "x")).toBe(false);
    expect(map.complete("unknown")).toBe(false);
    await map.call("a.b", {}, { requestId: "r1" });
    await expect.poll(() => map.respond("r1", envelope)).toBe(false);
    expect(events).toHaveLength(2);
  });
});

describe("aborts and deadlines of a call", () => {
  it("an aborted pending call fails with the reason of the abort, and its handler is aborted", async () => {
    const served: AbortNode[] = [];
    const { map, events } = setUp(() => (_request, parent) => {
      served.push(parent!);
      return hang();
    });
    const call = map.call("a.b", {}, { requestId: "r1" });
    expect(map.abort("r1", "enough")).toBe(true);
    expect(map.abort("r1")).toBe(false);
    await expect(call).rejects.toMatchObject({
      code: "ABORTED",
      message: "enough",
      details: { outcome: "unknown" },
    });
    expect(served[0]!.aborted).toMatchObject({ code: "ABORTED", message: "enough" });
    expect(events.at(-1)).toEqual({ type: "call.aborted", requestId: "r1", reason: "enough" });
  });

  it("a pending call that reaches its deadline emits call.aborted and ignores later answers", async () => {
    const { map, events } = setUp(() => hang);
    const call = map.call("a.b", {}, { requestId: "r1", deadline: Date.now() + 20 });
    await expect(call).rejects.toMatchObject({ code: "TIMEOUT", details: { outcome: "unknown" } });
    expect(events.at(-1)).toEqual({ type: "call.aborted", requestId: "r1", reason: "deadline" });
    map.respond("r1", localEnvelope("late", "a.b"));
    expect(map.size).toBe(0);
  });

  it.each([
    ["a deadline in the past", () => ({ deadline: Date.now() - 1 }), "TIMEOUT"],
    ["an aborted signal", () => ({ signal: AbortSignal.abort("no") }), "ABORTED"],
    ["an aborted parent", () => ({ parent: abortedParent() }), "ABORTED"],
  ])(
    "a call or subscription with %s sends nothing and fails with $2",
    async (_why, options, code) => {
      const { map, events, requests } = setUp(echoing);
      await expect(map.call("a.b", {}, options())).rejects.toMatchObject({
        code,
        details: { outcome: "not_applied" },
      });
      await expect(map.subscribe("a.b", {}, options()).next()).rejects.toMatchObject({ code });
      expect([requests, events, map.size]).toEqual([[], [], 0]);
    },
  );

  it.each([NaN, Infinity, Date.now() + 60_000.5])(
    "PendingRequestMap.call refuses %d as a deadline",
    async (deadline) => {
      const { map, events } = setUp(echoing);
      await expect(map.call("a.b", {}, { deadline })).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        details: { outcome: "not_applied" },
      });
      expect([events, map.size]).toEqual([[], 0]);
    },
  );

  it("a signal ends a pending call even while its request is being sent", async () => {
    const controller = new AbortController();
    const { map, events } = setUp(() => () => {
      controller.abort();
      return hang();
    });
    const call = map.call("a.b", {}, { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: "ABORTED" });
    expect(events.map(({ type }) => type)).toEqual(["call.requested", "call.aborted"]);
    expect(map.size).toBe(0);
  });

  it("an aborted parent ends its unfinished pending calls", async () => {
    const parent = new Parent();
    const { map, events } = setUp((own) => ({ requestId, operationId }) => {
      if (operationId === "a.hang") return hang();
      own.emitError(requestId, "EXECUTION_ERROR", "at once");
      return Promise.resolve();
    });
    await expect(map.call("a.fail", {}, { parent, requestId: "done" })).rejects.toThrow("at once");
    const call = map.call("a.hang", {}, { parent, requestId: "waiting" });
    parent.abort(new CallError("ABORTED", "the parent ended"));
    await expect(call).rejects.toThrow("the parent ended");
    const aborted = events.filter(({ type }) => type === "call.aborted");
    expect(aborted.map(({ requestId }) => requestId)).toEqual(["waiting"]);
  });

  it("closing a PendingRequestMap ends all its calls", async () => {
    const { map } = setUp(() => hang);
    const calls = [map.call("a.b"), map.call("a.b")];
    const closed = map.close();
    for (const call of calls) await expect(call).rejects.toThrow("The transport was closed");
    await closed;
    expect(map.size).toBe(0);
    await expect(map.call("a.b")).rejects.toMatchObject({ details: { code: "NETWORK" } });
  });
});

class Parent extends AbortNode {
  protected override onAbort(): void {}
}

function abortedParent(): AbortNode {
  const parent = new Parent();
  parent.abort(new CallError("ABORTED", "gone"));
  return parent;
}

/** A map whose transport sends nothing and throws. */
function unsendable(thrown: unknown): PendingRequestMap {
  const request = (): never => {
    throw thrown;
  };
  return new PendingRequestMap({ transport: Object.assign(inProcessTransport(), { request }) });
}

describe("a transport that throws", () => {
  const down = new Error("the line is down");
  const expected = {
    name: "CallError",
    code: "EXECUTION_ERROR",
    message: "the line is down",
    details: { outcome: "not_applied" },
    cause: down,
  };

  it("a pending call fails as not applied, and frees its request id, if the transport throws", async () => {
    const map = unsendable(down);
    const call = map.call("a.b", {}, { requestId: "r1", deadline: Date.now() + 60_000 });
    await expect(call).rejects.toMatchObject(expected);
    expect(map.size).toBe(0);
    await expect(map.call("a.b", {}, { requestId: "r1" })).rejects.toThrow("the line is down");
  });

  it("a subscription fails when its first value is requested if the transport throws", async () => {
    const map = unsendable(down);
    const values = map.subscribe("a.b");
    expect(map.size).toBe(0);
    await expect(values.next()).rejects.toMatchObject(expected);
    expect((await values.next()).done).toBe(true);
  });

  it("a pending call has the outcome of the transport's error if that error has an outcome", async () => {
    const torn = new CallError("OUTCOME_UNKNOWN", "half sent", { outcome: "unknown" });
    await expect(unsendable(torn).call("a.b")).rejects.toMatchObject({
      code: "OUTCOME_UNKNOWN",
      details: { outcome: "unknown" },
    });
  });
});

describe("an observer that throws", () => {
  it("a pending call returns its answer even if an observer throws", async () => {
    const map = new PendingRequestMap({
      observe: () => {
        throw new Error("log is full");
      },
    });
    map.serve(echoing(map));
    expect((await map.call("a.b", { a: 1 })).data).toEqual({ a: 1 });
    expect(map.size).toBe(0);
  });
});
