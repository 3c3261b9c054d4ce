import { failureResult, isCallError, successResult } from "../envelope/index.ts";
import type { Outcome, ResultEnvelope } from "../envelope/index.ts";
import type { Journal, JournalKey, JournalLease, JournalVerdict } from "../router/index.ts";
import { expectEqual, expectTrue, rejection } from "./contract.ts";
import type { ContractCase } from "./contract.ts";

const KEY: JournalKey = {
  key: "key-1",
  identity: "someone",
  host: "api.example.com",
  capability: "contract.write",
  digest: "digest-1",
};
const OTHER_INPUT: JournalKey = { ...KEY, digest: "digest-2" };
const DONE = successResult(
  { text: "grüße 👋", list: [1, null] },
  { capability_id: KEY.capability },
);

function failed(outcome: Outcome): ResultEnvelope {
  const error = {
    code: "NETWORK",
    message: "cut off",
    retryable: false,
    details: { outcome },
  } as const;
  return failureResult(error, { capability_id: KEY.capability });
}

function expectState<State extends JournalVerdict["state"]>(
  verdict: JournalVerdict,
  state: State,
): Extract<JournalVerdict, { state: State }> {
  expectEqual(verdict.state, state, "the journal's verdict");
  return verdict as Extract<JournalVerdict, { state: State }>;
}

async function own(journal: Journal, key = KEY, requestId = "first"): Promise<JournalLease> {
  return expectState(await journal.begin(key, requestId), "owned").lease;
}

/**
 * Expects that a write that cannot be recorded is refused and not sent. The outcome is unknown if
 * another call with the same key may have been applied.
 */
async function expectRefusal(promise: Promise<unknown>): Promise<void> {
  const error = await rejection(promise);
  expectTrue(isCallError(error), `expected a CallError, got ${String(error)}`);
  const { code, outcome = "missing" } = error.details;
  expectEqual(code, "NOT_READY", "code");
  expectTrue(["not_applied", "unknown"].includes(outcome), `the outcome is ${outcome}`);
}

function join(journal: Journal, key = KEY): Promise<JournalVerdict> {
  return journal.join(key, new AbortController().signal, "joiner");
}

type Statement = (journal: Journal) => Promise<void>;

const OWNING: Readonly<Record<string, Statement>> = {
  "a journal gives an idempotency key only to the first call that asks for it": async (journal) => {
    const lease = await own(journal);
    expectEqual([lease.requestId, lease.attempt], ["first", 1], "lease");
    const second = expectState(await journal.begin(KEY, "second"), "in_flight");
    expectEqual(second.requestId, "first", "the owner's request");
    await lease.sent();
    expectState(await journal.begin(KEY, "third"), "in_flight");
  },
  "a journal gives an idempotency key to one of fifty concurrent calls": async (journal) => {
    const calls = Array.from({ length: 50 }, (_, index) => journal.begin(KEY, `call-${index}`));
    const states = (await Promise.all(calls)).map(({ state }) => state);
    expectEqual(states.filter((state) => state === "owned").length, 1, "owners");
    expectEqual(states.filter((state) => state === "in_flight").length, 49, "others");
  },
  "a journal keeps equal keys of different identities, hosts and capabilities apart": async (
    journal,
  ) => {
    await own(journal);
    for (const part of ["key", "identity", "host", "capability"] as const) {
      await own(journal, { ...KEY, [part]: "another" });
    }
    await own(journal, { ...KEY, identity: "someone\u0000api", host: "example.com" });
  },
  "a journal refuses an idempotency key that was used with another input": async (journal) => {
    const lease = await own(journal);
    expectState(await journal.begin(OTHER_INPUT, "other"), "conflict");
    await lease.sent();
    expectState(await journal.begin(OTHER_INPUT, "other"), "conflict");
    await lease.settle(DONE, "applied");
    expectState(await journal.begin(OTHER_INPUT, "other"), "conflict");
    expectState(await join(journal, OTHER_INPUT), "conflict");
  },
};

const STEPS: Readonly<Record<string, Statement>> = {
  "a journal notes that the owner of a key has sent its call only once": async (journal) => {
    const lease = await own(journal);
    await lease.sent();
    await expectRefusal(lease.sent());
  },
  "a journal notes a second sending of a call only after again()": async (journal) => {
    const lease = await own(journal);
    await expectRefusal(lease.again());
    await lease.sent();
    await lease.again();
    expectEqual(lease.attempt, 2, "attempt");
    await lease.sent();
    await expectRefusal(lease.sent());
  },
  "a journal returns the recorded result of an applied write": async (journal) => {
    for (const [outcome, result] of [
      ["applied", DONE],
      ["applied", failed("applied")],
    ] as const) {
      const key = { ...KEY, key: JSON.stringify([outcome, result.ok]) };
      const lease = await own(journal, key);
      await lease.sent();
      await lease.settle(result, outcome);
      expectEqual(expectState(await journal.begin(key, "x"), "settled").result, result, "result");
    }
  },
  "a journal lets one caller at a time check a write of unknown outcome, and gives that caller what was recorded":
    async (journal) => {
      const lease = await own(journal);
      await lease.sent("trail");
      await lease.settle(failed("unknown"), "unknown");
      const first = expectState(await journal.begin(KEY, "second"), "unknown");
      expectEqual([first.result, first.trail], [failed("unknown"), "trail"], "what was kept");
      expectTrue(first.probe !== undefined, "the first to ask again may probe");
      const next = expectState(await journal.begin(KEY, "third"), "unknown");
      expectTrue(next.probe === undefined, "nobody else may, a moment later");
      expectEqual(next.result, failed("unknown"), "result");
    },
  "a journal returns the result of a lost write that a later check found": async (journal) => {
    const lease = await own(journal);
    await lease.sent();
    await lease.settle(failed("unknown"), "unknown");
    await expectState(await journal.begin(KEY, "second"), "unknown").probe?.resolve(DONE);
    expectEqual(expectState(await journal.begin(KEY, "x"), "settled").result, DONE, "result");
  },
  "a journal frees the key of a lost write if a later check proves that the write was not applied":
    async (journal) => {
      const lease = await own(journal);
      await lease.sent();
      await lease.settle(failed("unknown"), "unknown");
      const { probe } = expectState(await journal.begin(KEY, "second"), "unknown");
      await probe?.resolve("not_applied");
      const next = await own(journal, KEY, "third");
      await probe?.resolve(DONE);
      await next.sent();
      expectState(await journal.begin(KEY, "fourth"), "in_flight");
    },
  "a journal records a copy of the result, so that later changes of the result are not recorded":
    async (journal) => {
      const lease = await own(journal);
      await lease.sent();
      const changed = successResult({ count: 1 }, { capability_id: KEY.capability });
      await lease.settle(changed, "applied");
      changed.data.count = 2;
      const { result } = expectState(await journal.begin(KEY, "second"), "settled");
      expectEqual(result.data, { count: 1 }, "data");
    },
  "a journal frees the key of a call that was not applied, so that any input can use the key":
    async (journal) => {
      const started = await own(journal);
      await started.settle(failed("not_applied"), "not_applied");
      const sent = await own(journal, OTHER_INPUT, "second");
      await sent.sent();
      await sent.settle(failed("not_applied"), "not_applied");
      await own(journal, KEY, "third");
    },
};

const PEEKING: Readonly<Record<string, Statement>> = {
  "peek() of a journal returns the state that a call with the key would find, and changes nothing":
    async (journal) => {
      if (journal.peek === undefined) return;
      expectEqual(await journal.peek(KEY), "free", "a new key");
      const lease = await own(journal);
      expectEqual(await journal.peek(KEY), "in_flight", "a key that is held");
      await lease.sent();
      await lease.settle(failed("unknown"), "unknown");
      expectEqual(await journal.peek(KEY), "unknown", "a lost write");
      const { probe } = expectState(await journal.begin(KEY, "second"), "unknown");
      expectTrue(probe !== undefined, "a peek does not use up the right to probe");
      await probe?.resolve(DONE);
      expectEqual(await journal.peek(KEY), "settled", "an applied write");
      expectEqual(await journal.peek(OTHER_INPUT), "conflict", "another input");
    },
};

const STALE: Readonly<Record<string, Statement>> = {
  "a journal refuses to note the sending of a call that has ended": async (journal) => {
    const lease = await own(journal);
    await lease.sent();
    await lease.settle(DONE, "applied");
    await expectRefusal(lease.sent());
    await expectRefusal(lease.again());
  },
  "a former owner of a key cannot change the journal's record of the next owner": async (
    journal,
  ) => {
    const old = await own(journal);
    await old.settle(failed("not_applied"), "not_applied");
    const next = await own(journal, KEY, "second");
    await expectRefusal(old.sent());
    await rejection(old.settle(DONE, "applied"));
    await old.settle(failed("not_applied"), "not_applied");
    await next.sent();
    expectState(await journal.begin(KEY, "third"), "in_flight");
  },
};

const JOINING: Readonly<Record<string, Statement>> = {
  "a journal lets other calls with a key wait for the result of its owner": async (journal) => {
    const lease = await own(journal);
    const waiting = Promise.all([join(journal), join(journal), join(journal)]);
    await lease.sent();
    await lease.settle(DONE, "applied");
    for (const verdict of await waiting) {
      expectEqual(expectState(verdict, "settled").result, DONE, "result");
    }
  },
  "a journal gives a freed key to one of the waiting calls": async (journal) => {
    const lease = await own(journal);
    const waiting = [join(journal), join(journal)];
    await lease.settle(failed("not_applied"), "not_applied");
    const next = expectState(await Promise.race(waiting), "owned").lease;
    expectEqual(next.requestId, "joiner", "the new owner's request");
    await next.sent();
    await next.settle(DONE, "applied");
    const states = (await Promise.all(waiting)).map(({ state }) => state);
    expectEqual(states.toSorted(), ["owned", "settled"], "verdicts");
  },
  "a call stops waiting for the journal when its signal is aborted": async (journal) => {
    await own(journal);
    const controller = new AbortController();
    const waiting = rejection(journal.join(KEY, controller.signal, "joiner"));
    const reason = new Error("changed my mind");
    controller.abort(reason);
    expectTrue((await waiting) === reason, "expected the signal's reason");
    expectTrue(
      (await rejection(journal.join(KEY, controller.signal, "joiner"))) === reason,
      "an aborted signal is noticed at once",
    );
  },
  "a closed journal refuses every request": async (journal) => {
    const lease = await own(journal);
    const waiting = rejection(join(journal));
    await journal.close();
    expectTrue(isCallError(await waiting), "a waiting call must be told");
    await expectRefusal(lease.sent());
    await expectRefusal(journal.begin(KEY, "second"));
  },
};

/** The contract of every journal. Each case gets a new journal. */
export function journalContract(makeJournal: () => Journal | Promise<Journal>): ContractCase[] {
  const statements = { ...OWNING, ...STEPS, ...PEEKING, ...STALE, ...JOINING };
  return Object.entries(statements).map(([name, statement]) => ({
    name,
    run: async () => {
      const journal = await makeJournal();
      try {
        await statement(journal);
      } finally {
        await journal.close();
      }
    },
  }));
}
