import { describe, expect, it } from "vitest";
import type { CardRequest } from "../cards/index.ts";
import { fail, localEnvelope } from "../envelope/index.ts";
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
  /** The paths of each round trip. */
  readonly trips: string[][];
  readonly joined: Attempt[];
}

/** A route that answers with the path; together as well, unless that is told to fail. */
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

type Call = (member: BatchMember) => Promise<unknown>;

/** Runs the calls side by side as one batch; a failure is its message. */
function together(calls: readonly Call[], mergesWrites = false): Promise<unknown[]> {
  const batch = new SendBatch(mergesWrites);
  return Promise.all(
    calls.map((call, place) =>
      batch.join(place, call).catch((error: unknown) => (error as Error).message),
    ),
  );
}

const send =
  (on: CardRoute, path: string, with_: Attempt = makeAttempt()): Call =>
  async (member) =>
    (await member.send(on, request(path), with_)).response.data;

describe("reads that run side by side", () => {
  it("travel together where the route can", async () => {
    const one = route();
    const data = await together([send(one, "/a"), send(one, "/b"), send(one, "/c")]);
    expect([data, one.trips]).toEqual([["/a", "/b", "/c"], [["/a", "/b", "/c"]]]);
    expect(one.joined[0]).toMatchObject({ effect: "read", isRepeatable: true });
  });

  it("travel apart on different routes, and where one route cannot", async () => {
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

  it("gather again for what each sends next", async () => {
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

  it("fail alone", async () => {
    const one = route(undefined, { "/b": fail("NOT_FOUND", "no b") });
    expect(await together([send(one, "/a"), send(one, "/b")])).toEqual(["/a", "no b"]);
  });

  it("are sent one by one when they are refused as a whole", async () => {
    const one = route(fail("ADAPTER_UNSUPPORTED", "too new", { outcome: "not_applied" }));
    expect(await together([send(one, "/a"), send(one, "/b")])).toEqual(["/a", "/b"]);
    expect(one.trips).toEqual([["/a", "/b"], ["/a"], ["/b"]]);
  });

  it.each(["RATE_LIMIT", "NETWORK", "AUTH", "CANCELLED"] as const)(
    "are not made into many requests by %s",
    async (code) => {
      const one = route(fail(code, "no", { outcome: "not_applied" }));
      expect(await together([send(one, "/a"), send(one, "/b")])).toEqual(["no", "no"]);
      expect(one.trips).toHaveLength(1);
    },
  );

  it("do not wait for ever for a call that is busy", async () => {
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

  it("go on when a call of the batch ends without sending", async () => {
    const one = route();
    const data = await together([send(one, "/a"), async () => "nothing to send"]);
    expect(data).toEqual(["/a", "nothing to send"]);
  });
});

describe("a lookup", () => {
  it("is asked once for all calls that need it", async () => {
    const one = route();
    const asks: string[] = [];
    const call: (name: string) => Call = (name) => (member) =>
      member.lookup("repository", async () => {
        asks.push(name);
        return (await member.send(one, request("/id"), makeAttempt())).response.data;
      });
    expect(await together([call("a"), call("b"), call("c")])).toEqual(["/id", "/id", "/id"]);
    expect([asks, one.trips]).toEqual([["a"], [["/id"]]]);
  });

  it.each([
    ["failed", () => Promise.reject(new Error("down"))],
    ["found nothing", async () => null],
  ])("that %s is asked again", async (_how, first) => {
    const batch = new SendBatch(false);
    await batch.join(0, (member) => member.lookup("label", first).catch(() => {}));
    const again = batch.join(1, (member) => member.lookup("label", async () => "L_1"));
    expect(await again).toBe("L_1");
    const known = batch.join(2, (member) => member.lookup("label", async () => "other"));
    expect(await known).toBe("L_1");
  });
});

const write = (more: Partial<Attempt> = {}): Attempt => makeAttempt("write", more);
const diskFull = (): Promise<void> =>
  Promise.reject(fail("NOT_READY", "disk full", { outcome: "not_applied" }));

describe("writes", () => {
  it("are sent as they come unless they may be merged", async () => {
    const one = route();
    await together([send(one, "/a", write()), send(one, "/b", write())]);
    expect(one.trips).toEqual([["/a"], ["/b"]]);
  });

  it("merge in the order of their calls, each noted as sent before", async () => {
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

  it("do not mix with reads", async () => {
    const one = route();
    await together([send(one, "/r"), send(one, "/a", write()), send(one, "/b", write())], true);
    expect(one.trips).toEqual([["/r"], ["/a", "/b"]]);
  });

  it("are sent one after the other when they were refused as a whole", async () => {
    const one = route(fail("ADAPTER_UNSUPPORTED", "too new", { outcome: "not_applied" }));
    const data = await together([send(one, "/a", write()), send(one, "/b", write())], true);
    expect([data, one.trips]).toEqual([
      ["/a", "/b"],
      [["/a", "/b"], ["/a"], ["/b"]],
    ]);
  });

  it.each(["unknown", "applied", undefined] as const)(
    "are never sent again when they may have been applied (%s)",
    async (outcome) => {
      const one = route(fail("SERVER", "lost", outcome === undefined ? {} : { outcome }));
      const data = await together([send(one, "/a", write()), send(one, "/b", write())], true);
      expect([data, one.trips]).toEqual([["lost", "lost"], [["/a", "/b"]]]);
    },
  );

  it("that the journal does not let go take nothing with them", async () => {
    const one = route();
    const beforeSend = diskFull;
    const data = await together(
      [send(one, "/a", write()), send(one, "/b", write({ beforeSend }))],
      true,
    );
    expect([data, one.trips]).toEqual([["/a", "disk full"], [["/a"]]]);
  });
});
