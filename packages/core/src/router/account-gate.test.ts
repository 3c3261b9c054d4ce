import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AccountGate } from "./account-gate.ts";
import type { AccountLimit, GatedAttempt, LimitStore } from "./account-gate.ts";

const HOUR = 3_600_000;
const START = Date.parse("2030-01-01T00:00:00Z");

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

function gate(store?: LimitStore): AccountGate {
  return new AccountGate({ account: () => "me", name: "GitHub", store });
}

function attempt(more: Partial<GatedAttempt> = {}): GatedAttempt {
  return { effect: "read", deadline: undefined, signal: new AbortController().signal, ...more };
}

function storeWith(limits: readonly AccountLimit[]): LimitStore {
  return { read: async () => limits, add: async () => {} };
}

const done = async (): Promise<string> => "sent";
const readLater = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));

describe("account gate during a rate limit", () => {
  it.each([
    ["it waits for a limit that ends within 30 s", 30_000, undefined, "sent"],
    ["it fails for a limit that ends after more than 30 s", 30_001, undefined, "RATE_LIMIT"],
    ["it waits for a limit of 40 s that ends before the deadline", 40_000, START + 40_001, "sent"],
    ["it fails for a limit that ends at the deadline", 40_000, START + 40_000, "RATE_LIMIT"],
  ])(
    "a request to an account with a rate limit waits or fails: %s",
    async (_title, ms, deadline, expected) => {
      const own = gate();
      await own.note({ resource: "*", until: START + ms });
      const sent = own.pass("core", attempt({ deadline }), done);
      const seen = sent.catch((error: { details: { code: string } }) => error.details.code);
      await vi.advanceTimersByTimeAsync(ms);
      expect(await seen).toBe(expected);
    },
  );

  it("the error of a request that a rate limit holds back says how long to wait and that the request was not sent", async () => {
    const own = gate();
    await own.note({ resource: "*", until: START + HOUR });
    await expect(own.pass("core", attempt(), done)).rejects.toMatchObject({
      message: expect.stringContaining(", so this request was not sent") as string,
      details: { outcome: "not_applied", retry_after_ms: HOUR },
    });
  });

  it("the time that a request waits for a rate limit is added to the waits of its attempt", async () => {
    const own = gate();
    const waits = { ms: 1 };
    await own.note({ resource: "core", until: START + 20_000 });
    const sent = own.pass("core", attempt({ waits }), done);
    await vi.advanceTimersByTimeAsync(20_000);
    await sent;
    expect(waits.ms).toBe(20_001);
  });

  it("the time of the reads before a write is not added to the waits of its attempt", async () => {
    const waits = { ms: 0 };
    const sent = gate().pass("core", attempt({ effect: "write", waits, ready: readLater }), done);
    await vi.advanceTimersByTimeAsync(300);
    await sent;
    expect(waits.ms).toBe(0);
  });

  it("a request for a resource without a rate limit is sent while another resource is limited", async () => {
    const own = gate();
    await own.note({ resource: "graphql", until: START + HOUR });
    expect(await own.pass("core", attempt(), done)).toBe("sent");
  });

  it("a request is held back until the later of two rate limits ends", async () => {
    const own = gate(storeWith([{ resource: "*", until: START + 1_000 }]));
    await own.note({ resource: "*", until: START + HOUR });
    await own.note({ resource: "*", until: START + 2_000 });
    await expect(own.pass("core", attempt(), done)).rejects.toThrow("limited this account");
  });

  it("a rate limit that another process stored holds back a request", async () => {
    const own = gate(storeWith([{ resource: "*", until: START + HOUR }]));
    await expect(own.pass("core", attempt(), done)).rejects.toThrow("limited this account");
  });

  it("a rate limit lasts at most 6 hours, even if a clock is wrong", async () => {
    const own = gate(storeWith([{ resource: "*", until: START + 6 * HOUR + 1 }]));
    expect(await own.pass("core", attempt(), done)).toBe("sent");
    await own.note({ resource: "*", until: START + 100 * HOUR });
    const refused = own.pass("core", attempt(), done);
    await expect(refused).rejects.toMatchObject({ details: { retry_after_ms: 6 * HOUR } });
  });
});

/** Sends that the test ends one by one, and the order in which they began. */
function sends() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const send = (name: string) => (): Promise<void> => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, resolve));
  };
  return { begun, send, end: (name: string) => ends.get(name)?.() };
}

describe("order of requests to one account", () => {
  it("the second request to an account waits for the answer to the first request", async () => {
    const own = gate();
    const { begun, send, end } = sends();
    const first = own.pass("core", attempt(), send("first"));
    await vi.advanceTimersByTimeAsync(0);
    const second = own.pass("core", attempt(), send("second"));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(begun).toEqual(["first"]);
    end("first");
    await first;
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(["first", "second"]);
    end("second");
    await second;
  });

  it.each(["read", "write"] as const)(
    "if a %s and later requests to one account start at once, the later ones wait for the answer to the first",
    async (effect) => {
      const own = gate();
      const { begun, send, end } = sends();
      const calls = ["first", "second", "third"].map((name, index) =>
        own.pass("core", attempt(index === 0 ? { effect } : {}), send(name)),
      );
      await vi.advanceTimersByTimeAsync(4_999);
      expect(begun).toEqual(["first"]);
      end("first");
      await vi.advanceTimersByTimeAsync(0);
      expect(begun).toEqual(["first", "second", "third"]);
      end("second");
      end("third");
      await Promise.all(calls);
    },
  );

  it("after a rate limit ends, only the first waiting request is sent until its answer shows no new limit", async () => {
    const own = gate();
    await own.note({ resource: "*", until: START + 20_000 });
    const { begun, send, end } = sends();
    const calls = ["first", "second", "third"].map((name) =>
      own.pass("core", attempt(), send(name)),
    );
    await vi.advanceTimersByTimeAsync(24_000);
    expect(begun).toEqual(["first"]);
    await own.note({ resource: "*", until: START + HOUR });
    end("first");
    const ends = await Promise.allSettled(calls);
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(begun).toEqual(["first"]);
  });

  it("a request to an account that takes longer than 5 s does not delay later requests", async () => {
    const own = gate();
    const { begun, send } = sends();
    for (const name of ["first", "second"]) void own.pass("core", attempt(), send(name));
    await vi.advanceTimersByTimeAsync(5_000);
    void own.pass("core", attempt(), send("third"));
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(["first", "second", "third"]);
  });

  it("the reads that a write needs are sent to the account before the write", async () => {
    const own = gate();
    const { begun, send, end } = sends();
    const ready = (): Promise<unknown> => own.pass("core", attempt(), send("before"));
    const write = own.pass("core", attempt({ effect: "write", ready }), send("write"));
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(["before"]);
    end("before");
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(["before", "write"]);
    end("write");
    await write;
  });

  it("a write that is cancelled while it waits for its account is not applied", async () => {
    const own = gate();
    const { begun, send } = sends();
    const controller = new AbortController();
    void own.pass("core", attempt(), send("first"));
    await vi.advanceTimersByTimeAsync(0);
    const write = attempt({ effect: "write", signal: controller.signal });
    const cancelled = own.pass("core", write, send("second"));
    await vi.advanceTimersByTimeAsync(0);
    controller.abort(new Error("no longer wanted"));
    await expect(cancelled).rejects.toMatchObject({ details: { outcome: "not_applied" } });
    expect(begun).toEqual(["first"]);
  });

  it("the second request to an account is sent after at most 5 s without an answer to the first request", async () => {
    const own = gate();
    const { begun, send } = sends();
    void own.pass("core", attempt(), send("first"));
    await vi.advanceTimersByTimeAsync(0);
    void own.pass("core", attempt(), send("second"));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(begun).toEqual(["first", "second"]);
  });

  it("writes to an account are sent one after the other, even after a failed write", async () => {
    const own = gate();
    const write = attempt({ effect: "write" });
    const { begun, send, end } = sends();
    const failed = own.pass("core", write, () => Promise.reject(new Error("no")));
    const second = own.pass("core", write, send("second"));
    const third = own.pass("core", write, send("third"));
    await expect(failed).rejects.toThrow("no");
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(["second"]);
    end("second");
    await second;
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(["second", "third"]);
    end("third");
    await third;
  });
});
