import { describe, expect, it, onTestFinished, vi } from "vitest";
import { stopClock } from "../../../../test/support/stop-clock.ts";
import type { CardRequest } from "../cards/index.ts";
import { errorFromUnknown, fail, localEnvelope } from "../envelope/index.ts";
import type { CallError } from "../envelope/index.ts";
import { isCounted } from "./request-count.ts";
import type { Attempt, CardRoute, RouteAnswer } from "./route.ts";
import { makeAttempt } from "../testing/index.ts";
import { SendBatch } from "./send-batch.ts";
import type { BatchMember } from "./send-batch.ts";

const request = (path: string): CardRequest => ({
  kind: "rest",
  method: "GET",
  path,
  query: [],
  headers: {},
});
const pathOf = (sent: CardRequest): string => (sent as { path: string }).path;
const answer = (path: string): RouteAnswer => ({
  response: localEnvelope(path, "test.run"),
  upstreamRequests: 1,
});

interface Trips extends CardRoute {
  /** The paths of each request to the upstream. */
  readonly trips: string[][];
  readonly joined: Attempt[];
}

/**
 * A route that answers with the path, also for merged requests. `whole` makes merged requests
 * fail.
 */
function route(whole?: Error, parts: Readonly<Record<string, Error>> = {}): Trips {
  const trips: string[][] = [];
  const joined: Attempt[] = [];
  return {
    route: "graphql",
    needs: [],
    trips,
    joined,
    async send(sent, { beforeSend, effect }) {
      if (effect !== "read") await beforeSend();
      trips.push([pathOf(sent)]);
      return answer(pathOf(sent));
    },
    canSendTogether: () => true,
    async sendTogether(sent, shared) {
      joined.push(shared);
      if (shared.effect !== "read") await shared.beforeSend();
      trips.push(sent.map(pathOf));
      if (whole !== undefined) throw whole;
      return sent.map((each) => parts[pathOf(each)] ?? answer(pathOf(each)));
    },
    describe: () => ({}),
  };
}

/** Whether the paths have the same first letter. */
function startAlike(sent: readonly CardRequest[]): boolean {
  return new Set(sent.map((each) => pathOf(each)[1])).size === 1;
}

type Call = (member: BatchMember) => Promise<unknown>;

/** Runs the calls concurrently as one batch. A failure is returned as its message. */
function together(calls: readonly Call[], mergesWrites = false): Promise<unknown[]> {
  const batch = new SendBatch();
  const writesTo = mergesWrites ? "host" : undefined;
  return Promise.all(
    calls.map((call, index) =>
      batch.join({ index, writesTo }, call).catch((error: unknown) => (error as Error).message),
    ),
  );
}

const send =
  (on: CardRoute, path: string, with_: Attempt = makeAttempt()): Call =>
  async (member) =>
    (await member.send(on, request(path), with_)).response.data;

describe("SendBatch: reads", () => {
  it("SendBatch merges the reads of one batch into one request if the route supports merging", async () => {
    const one = route();
    const data = await together([send(one, "/a"), send(one, "/b"), send(one, "/c")]);
    expect([data, one.trips]).toEqual([["/a", "/b", "/c"], [["/a", "/b", "/c"]]]);
    expect(one.joined[0]).toMatchObject({ effect: "read", isRepeatable: true });
  });

  it("SendBatch waits for a call that has not sent its request yet while another call sends two requests", async () => {
    const pass = stopClock();
    const one = route();
    const both: Call = (member) => Promise.all([send(one, "/a")(member), send(one, "/b")(member)]);
    const later: Call = async (member) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return send(one, "/c")(member);
    };
    const ended = together([both, later]);
    await pass(1);
    await ended;
    expect(one.trips).toEqual([["/a", "/b", "/c"]]);
  });

  it("SendBatch sends reads on different routes, or on a route that cannot merge, as separate requests", async () => {
    const [one, other] = [route(), route()];
    const apart: Trips = { ...route(), canSendTogether: () => false };
    await together([send(one, "/a"), send(other, "/b"), send(apart, "/c"), send(apart, "/d")]);
    expect([one.trips, other.trips, apart.trips]).toEqual([[["/a"]], [["/b"]], [["/c"], ["/d"]]]);
    const single: CardRoute = {
      route: "rest",
      needs: [],
      send: (...args) => apart.send(...args),
      describe: () => ({}),
    };
    expect(await together([send(single, "/e")])).toEqual(["/e"]);
  });

  it("SendBatch sends each read once if only some of them can be merged", async () => {
    const one: Trips = { ...route(), canSendTogether: startAlike };
    const paths = ["/a1", "/a2", "/b1", "/c1"];
    expect(await together(paths.map((path) => send(one, path)))).toEqual(paths);
    expect(one.trips.map(String).toSorted()).toEqual(["/a1,/a2", "/b1", "/c1"]);
  });

  it("SendBatch sends a batch without a timer as soon as every call waits", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const one = route();
    const twice: Call = async (member) => {
      await send(one, "/b")(member);
      return send(one, "/c")(member);
    };
    expect(await together([send(one, "/a"), twice])).toEqual(["/a", "/c"]);
    expect(one.trips).toEqual([["/a", "/b"], ["/c"]]);
  });

  it("SendBatch merges the first requests of all calls, and then their second requests", async () => {
    const one = route();
    const twice: (name: string) => Call = (name) => async (member) => {
      await member.send(one, request(`/${name}1`), makeAttempt());
      await member.send(one, request(`/${name}2`), makeAttempt());
    };
    await together([twice("a"), twice("b")]);
    expect(one.trips).toEqual([
      ["/a1", "/b1"],
      ["/a2", "/b2"],
    ]);
  });

  it("a read that fails in a merged request does not fail the other reads", async () => {
    const one = route(undefined, { "/b": fail("NOT_FOUND", "no b") });
    expect(await together([send(one, "/a"), send(one, "/b")])).toEqual(["/a", "no b"]);
  });

  it("30 reads of a refused merged request are sent as single requests, at most 8 at a time", async () => {
    const one = route(fail("TOO_LARGE", "too many nodes", { outcome: "not_applied" }));
    let underWay = 0;
    let most = 0;
    const slow: CardRoute = {
      ...one,
      async send(sent, attempt) {
        most = Math.max(most, (underWay += 1));
        await new Promise((resolve) => setTimeout(resolve));
        underWay -= 1;
        return one.send(sent, attempt);
      },
    };
    const paths = Array.from({ length: 30 }, (_, index) => `/${index}`);
    expect(await together(paths.map((path) => send(slow, path)))).toEqual(paths);
    expect(one.trips).toHaveLength(31);
    expect(most).toBe(8);
  });

  it("reads of a refused merged request are sent as single requests", async () => {
    const one = route(fail("ADAPTER_UNSUPPORTED", "too new", { outcome: "not_applied" }));
    expect(await together([send(one, "/a"), send(one, "/b")])).toEqual(["/a", "/b"]);
    expect(one.trips).toEqual([["/a", "/b"], ["/a"], ["/b"]]);
  });

  it.each(["RATE_LIMIT", "NETWORK", "AUTH", "CANCELLED"] as const)(
    "a merged request that failed with %s is not split into single requests",
    async (code) => {
      const one = route(fail(code, "no", { outcome: "not_applied" }));
      expect(await together([send(one, "/a"), send(one, "/b")])).toEqual(["no", "no"]);
      expect(one.trips).toHaveLength(1);
    },
  );

  it("SendBatch does not wait forever for a call that is busy", async () => {
    const one = route();
    const controller = new AbortController();
    const busy = new Promise<void>((resolve) => {
      controller.signal.addEventListener("abort", () => resolve());
    });
    const calls = together([send(one, "/a"), send(one, "/b"), () => busy]);
    while (one.trips.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(one.trips).toEqual([["/a", "/b"]]);
    controller.abort();
    await calls;
  });

  it("SendBatch sends the other requests if a call ends without sending", async () => {
    const one = route();
    const data = await together([send(one, "/a"), async () => "nothing to send"]);
    expect(data).toEqual(["/a", "nothing to send"]);
  });
});

const ask = (on: CardRoute, member: BatchMember, key: string, data: unknown = `${key}!`) =>
  member.lookup({
    route: on,
    key,
    ask: () => member.send(on, request(key), makeAttempt()),
    read: () => data,
  });

describe("SendBatch: lookups", () => {
  it("SendBatch sends a lookup once for all calls that need it, and each call reads its own part", async () => {
    const one = route();
    const call: (data: string) => Call = (data) => (member) => ask(one, member, "/id", data);
    expect(await together([call("a"), call("b"), call("c")])).toEqual(["a", "b", "c"]);
    expect(one.trips).toEqual([["/id"]]);
  });

  it("SendBatch sends a lookup to each of two upstreams if two calls need it on different upstreams", async () => {
    const [one, other] = [route(), route()];
    await together([(member) => ask(one, member, "/id"), (member) => ask(other, member, "/id")]);
    expect([one.trips, other.trips]).toEqual([[["/id"]], [["/id"]]]);
  });

  it.each([
    ["failed", () => Promise.reject(new Error("down"))],
    ["found nothing", async () => null],
  ])("SendBatch repeats a lookup that %s for the next call", async (_how, first) => {
    const batch = new SendBatch();
    const one = route();
    const found = (index: number, ask_: () => Promise<unknown>) =>
      batch.join({ index }, (member) =>
        member.lookup({
          route: one,
          key: "label",
          ask: async () => ({ ...answer("/"), response: localEnvelope(await ask_(), "a.b") }),
          read: ({ response }) => response.data,
        }),
      );
    await found(0, first).catch(() => {});
    expect(await found(1, async () => "L_1")).toBe("L_1");
    expect(await found(2, async () => "other")).toBe("L_1");
  });

  it("a failed lookup counts as one request for all calls that wait for it", async () => {
    const down: CardRoute = { ...route(), send: () => Promise.reject(fail("NETWORK", "down")) };
    const batch = new SendBatch();
    const failures = await Promise.all(
      [0, 1, 2].map((index) =>
        batch.join({ index }, (member) => ask(down, member, "/id").catch(errorFromUnknown)),
      ),
    );
    expect(failures.map((error) => isCounted(error as CallError))).toEqual([true, false, false]);
  });
});

const later =
  (call: Call): Call =>
  async (member) => {
    await new Promise((resolve) => setTimeout(resolve, 40));
    return call(member);
  };

const absent = (): never => {
  throw fail("NOT_FOUND", "no label");
};

const down = (): never => {
  throw fail("NETWORK", "down");
};

/**
 * Looks up the result of a write while the write runs. Returns what was found and how many
 * lookups were sent.
 */
async function lookBeside(making: Call, nothing: () => null) {
  const one = route();
  let isThere = false;
  let asked = 0;
  const make: Call = async (member) => {
    await making(member);
    isThere = true;
  };
  const question = {
    route: one,
    key: "label",
    ask: async () => {
      asked += 1;
      return { ...answer("/"), response: localEnvelope(isThere, "a.b") };
    },
    read: ({ response }: RouteAnswer) => (response.data === true ? "L_1" : nothing()),
  };
  const [, found] = await together([make, (member) => member.lookup(question)], true);
  return { found, asked };
}

describe("SendBatch: lookups of writes that may be merged", () => {
  it.each([
    ["throws", absent],
    ["is null", () => null],
  ])(
    "SendBatch repeats a lookup that found nothing (the lookup %s) after the earlier writes",
    async (_how, none) => {
      const making = later(send(route(), "/a", makeAttempt("write")));
      expect(await lookBeside(making, none)).toEqual({ found: "L_1", asked: 2 });
    },
  );

  it("SendBatch repeats a lookup that found nothing only once", async () => {
    const failing = later(() => Promise.reject(new Error("refused")));
    expect(await lookBeside(failing, absent)).toEqual({ found: "no label", asked: 2 });
  });

  it("SendBatch does not repeat a lookup that failed for a reason other than NOT_FOUND", async () => {
    const making = later(send(route(), "/a", makeAttempt("write")));
    expect(await lookBeside(making, down)).toEqual({ found: "down", asked: 1 });
  });
});

const write = (more: Partial<Attempt> = {}): Attempt => makeAttempt("write", more);
const diskFull = (): Promise<void> =>
  Promise.reject(fail("NOT_READY", "disk full", { outcome: "not_applied" }));

/** The number of requests counted for each of two calls that were refused together. */
const requestsOf = async (whole: Error, attempt: Attempt = write()): Promise<unknown[]> => {
  const one = route(whole);
  const call: Call = async (member) =>
    (await member.send(one, request("/"), attempt)).upstreamRequests;
  return together([call, call], true);
};

describe("SendBatch: writes", () => {
  it("SendBatch sends writes as separate requests unless they may be merged", async () => {
    const one = route();
    await together([send(one, "/a", write()), send(one, "/b", write())]);
    expect(one.trips).toEqual([["/a"], ["/b"]]);
  });

  it("merged writes keep the order of their calls, and the sending of each is noted before the request", async () => {
    const one = route();
    const noted: string[] = [];
    const note = (name: string) => async (): Promise<void> => void noted.push(name);
    const late: Call = async (member) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return send(one, "/a", write({ beforeSend: note("a") }))(member);
    };
    await together([late, send(one, "/b", write({ beforeSend: note("b") }))], true);
    expect([one.trips, noted]).toEqual([[["/a", "/b"]], ["a", "b"]]);
    expect(one.joined[0]).toMatchObject({ effect: "write", isRepeatable: false });
  });

  it("writes of a batch keep the order of their steps if a later write joins the batch first", async () => {
    const one = route();
    const batch = new SendBatch();
    const writing = makeAttempt("write");
    const join = (index: number): Promise<unknown> =>
      batch.join({ index, writesTo: "host" }, send(one, `/${index}`, writing));
    await Promise.all([join(2), join(0), join(1)]);
    expect(one.trips.flat()).toEqual(["/0", "/1", "/2"]);
  });

  it("SendBatch does not merge writes with reads", async () => {
    const one = route();
    await together([send(one, "/r"), send(one, "/a", write()), send(one, "/b", write())], true);
    expect(one.trips).toEqual([["/r"], ["/a", "/b"]]);
  });

  it("writes of a refused merged request are sent as single requests in their order", async () => {
    const one = route(fail("ADAPTER_UNSUPPORTED", "too new", { outcome: "not_applied" }));
    const data = await together([send(one, "/a", write()), send(one, "/b", write())], true);
    expect([data, one.trips]).toEqual([
      ["/a", "/b"],
      [["/a", "/b"], ["/a"], ["/b"]],
    ]);
  });

  it.each(["unknown", "applied", undefined] as const)(
    "merged writes that may have been applied are never sent a second time (%s)",
    async (outcome) => {
      const one = route(fail("SERVER", "lost", outcome === undefined ? {} : { outcome }));
      const data = await together([send(one, "/a", write()), send(one, "/b", write())], true);
      expect([data, one.trips]).toEqual([["lost", "lost"], [["/a", "/b"]]]);
    },
  );

  it("a write of a batch waits for an earlier write that is not ready, and the two writes are merged", async () => {
    const one = route();
    await together([later(send(one, "/a", write())), send(one, "/b", write())], true);
    expect(one.trips).toEqual([["/a", "/b"]]);
  });

  it("a write of a batch is sent if an earlier write ends without sending", async () => {
    const one = route();
    await together([later(async () => "replayed"), send(one, "/b", write())], true);
    expect(one.trips).toEqual([["/b"]]);
  });

  it("writes of a batch on two routes of one source are sent one after the other", async () => {
    const order: string[] = [];
    const [slow, fast] = [40, 0].map((delay): CardRoute => ({
      ...route(),
      async send(sent) {
        await new Promise((resolve) => setTimeout(resolve, delay));
        order.push(pathOf(sent));
        return answer(pathOf(sent));
      },
    }));
    const calls = [
      send(slow!, "/a", write()),
      send(fast!, "/b", write()),
      send(slow!, "/c", write()),
    ];
    await together(calls, true);
    expect(order).toEqual(["/a", "/b", "/c"]);
  });

  it("a write of a batch waits while an earlier write is retried", async () => {
    const one = { ...route(), canSendTogether: () => false };
    const again: Call = async (member) => {
      await send(one, "/a1", write())(member);
      await new Promise((resolve) => setTimeout(resolve, 40));
      return send(one, "/a2", write())(member);
    };
    await together([again, send(one, "/b", write())], true);
    expect(one.trips).toEqual([["/a1"], ["/a2"], ["/b"]]);
  });

  it("a write of a batch is not delayed by a write to another source", async () => {
    const one = route();
    const batch = new SendBatch();
    await Promise.all([
      batch.join({ index: 0, writesTo: "a" }, later(send(one, "/a", write()))),
      batch.join({ index: 1, writesTo: "b" }, send(one, "/b", write())),
    ]);
    expect(one.trips).toEqual([["/b"], ["/a"]]);
  });

  it("writes of a batch that cannot all be merged are sent in several requests", async () => {
    const one: Trips = { ...route(), canSendTogether: (sent) => sent.length <= 2 };
    await together(
      ["/a", "/b", "/c"].map((path) => send(one, path, write())),
      true,
    );
    expect(one.trips).toEqual([["/a", "/b"], ["/c"]]);
  });

  it("a write of a batch that is aborted while it waits is never sent", async () => {
    const one = route();
    const controller = new AbortController();
    const { signal } = controller;
    const first: Call = async (member) => {
      controller.abort(fail("TIMEOUT", "too late"));
      return later(send(one, "/a", write()))(member);
    };
    const batch = new SendBatch();
    const second = batch.join({ index: 1, writesTo: "h" }, send(one, "/b", write({ signal })));
    const ended = await Promise.allSettled([
      batch.join({ index: 0, writesTo: "h" }, first),
      second,
    ]);
    expect(ended[1]).toMatchObject({
      reason: { message: "too late", details: { outcome: "not_applied" } },
    });
    expect(one.trips).toEqual([["/a"]]);
  });

  it("a merged request that was refused counts as one upstream request", async () => {
    const refusal = fail("ADAPTER_UNSUPPORTED", "too new", { outcome: "not_applied" });
    expect(await requestsOf(refusal)).toEqual([2, 1]);
    expect(await requestsOf(refusal, makeAttempt())).toEqual([2, 1]);
  });

  it("the other writes of a batch are sent if the journal refuses one write", async () => {
    const one = route();
    const beforeSend = diskFull;
    const data = await together(
      [send(one, "/a", write()), send(one, "/b", write({ beforeSend }))],
      true,
    );
    expect([data, one.trips]).toEqual([["/a", "disk full"], [["/a"]]]);
  });
});

const once = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve()));

describe("SendBatch: order of merged requests", () => {
  it("merged requests keep the order of the calls if a later call of the batch sends first", async () => {
    const one = route();
    const late: Call = async (member) => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      return member.send(one, request("/first"), makeAttempt());
    };
    await together([late, send(one, "/second"), send(one, "/third")]);
    expect(one.trips).toEqual([["/first", "/second", "/third"]]);
  });

  it("SendBatch does not wait for a call that sends nothing", async () => {
    const one = route();
    const both = new AbortController();
    const asksTwice: Call = async (member) => {
      await member.send(one, request("/a1"), makeAttempt());
      await member.send(one, request("/a2"), makeAttempt());
      both.abort();
    };
    // This call ends only after both requests were answered, so no request may wait for it.
    await together([asksTwice, () => once(both.signal)]);
    expect(one.trips).toEqual([["/a1"], ["/a2"]]);
  });
});

describe("SendBatch: merged writes refused before sending", () => {
  it("a merged request that was never sent is not counted as an upstream request", async () => {
    const refused: Trips = {
      ...route(),
      sendTogether: () => Promise.reject(fail("SERVER", "no", { outcome: "not_applied" })),
    };
    const counts: number[] = [];
    const counted =
      (path: string): Call =>
      async (member) =>
        counts.push((await member.send(refused, request(path), write())).upstreamRequests);
    await together([counted("/a"), counted("/b")], true);
    expect(counts).toEqual([1, 1]);
  });
});
