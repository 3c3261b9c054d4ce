import { describe, expect, it } from "vitest";
import { CallError, fail, failureResult, successResult } from "../envelope/index.ts";
import type { Outcome, ResultEnvelope } from "../envelope/index.ts";
import type { Journal, JournalLease } from "./journal.ts";
import { runKeyed } from "./keyed-write.ts";
import type { KeyedWrite, SendHooks } from "./keyed-write.ts";
import { memoryJournal } from "./memory-journal.ts";

const capability_id = "issue.create";
const done = successResult({ id: 1 }, { capability_id });

function failed(outcome?: Outcome): ResultEnvelope {
  const details = outcome === undefined ? {} : { details: { outcome } };
  const error = { code: "NETWORK", message: "down", retryable: false, ...details } as const;
  return failureResult(error, { capability_id });
}

/** A write that reports that it is sent and then ends in the given way. Its runs are counted. */
function write(journal: Journal, result: ResultEnvelope = done, more: Partial<KeyedWrite> = {}) {
  const runs: string[] = [];
  const keyed: KeyedWrite = {
    journal,
    key: {
      key: "k1",
      identity: "ada",
      host: "example.com",
      capability: capability_id,
      digest: "d",
    },
    requestId: "r1",
    signal: new AbortController().signal,
    run: async ({ beforeSend }) => {
      runs.push(keyed.requestId);
      await beforeSend();
      return result;
    },
    ...more,
  };
  return { runs, keyed };
}

/** A journal whose leases fail at the given step. */
function failing(step: keyof JournalLease): Journal {
  const journal = memoryJournal();
  return {
    ...journal,
    close: () => journal.close(),
    join: (...args) => journal.join(...args),
    async begin(key, requestId) {
      const verdict = await journal.begin(key, requestId);
      if (verdict.state !== "owned") return verdict;
      const { lease } = verdict;
      const broken = { [step]: () => Promise.reject(fail("NOT_READY", "disk full")) };
      const whole: JournalLease = {
        requestId: lease.requestId,
        attempt: lease.attempt,
        sent: () => lease.sent(),
        again: () => lease.again(),
        settle: (...args) => lease.settle(...args),
      };
      return { state: "owned", lease: { ...whole, ...broken } };
    },
  };
}

/** A promise that the test resolves. */
function laterEnd() {
  let settle: ((result: ResultEnvelope) => void) | undefined;
  const ending = new Promise<ResultEnvelope>((resolve) => (settle = resolve));
  return { ending, end: (result: ResultEnvelope) => settle?.(result) };
}

describe("runKeyed", () => {
  it("a keyed write runs once, and a repeat gets the recorded result", async () => {
    const { keyed, runs } = write(memoryJournal());
    expect(await runKeyed(keyed)).toBe(done);
    const again = await runKeyed({ ...keyed, requestId: "r2" });
    expect(again).toEqual({ ...done, meta: { capability_id, replayed: true } });
    expect(runs).toEqual(["r1"]);
  });

  it.each(["applied", "unknown", undefined] as const)(
    "a keyed write that failed with the outcome %s is recorded in the journal and not sent a second time",
    async (outcome) => {
      const { keyed, runs } = write(memoryJournal(), failed(outcome));
      await runKeyed(keyed);
      expect(await runKeyed(keyed)).toMatchObject({ ok: false, meta: { replayed: true } });
      expect(runs).toHaveLength(1);
    },
  );

  it("a keyed write that failed and was not applied frees its key", async () => {
    const { keyed, runs } = write(memoryJournal(), failed("not_applied"));
    await runKeyed(keyed);
    await runKeyed(keyed);
    expect(runs).toHaveLength(2);
  });

  it("an idempotency key that was used with another input returns CONFLICT", async () => {
    const { keyed, runs } = write(memoryJournal());
    await runKeyed(keyed);
    const other = runKeyed({ ...keyed, key: { ...keyed.key, digest: "other" } });
    await expect(other).rejects.toMatchObject({
      details: { code: "CONFLICT", outcome: "not_applied" },
    });
    expect(runs).toHaveLength(1);
  });

  it("a keyed write waits for an unfinished call with its key and gets the result of that call", async () => {
    const journal = memoryJournal();
    const { ending, end } = laterEnd();
    const first = write(journal, done, { run: () => ending });
    const second = write(journal, done, { requestId: "r2" });
    const answers = Promise.all([runKeyed(first.keyed), runKeyed(second.keyed)]);
    end(done);
    expect((await answers)[1]).toMatchObject({ ok: true, meta: { replayed: true } });
    expect(second.runs).toEqual([]);
  });

  it("a keyed write runs if the call that it waited for has freed the key", async () => {
    const journal = memoryJournal();
    const { ending, end } = laterEnd();
    const first = runKeyed(write(journal, done, { run: () => ending }).keyed);
    const second = write(journal, done, { requestId: "r2" });
    const answer = runKeyed(second.keyed);
    end(failed("not_applied"));
    expect([(await first).ok, await answer, second.runs]).toEqual([false, done, ["r2"]]);
  });

  it("an abort ends the wait for an idempotency key, with an unknown outcome", async () => {
    const journal = memoryJournal();
    void runKeyed(write(journal, done, { run: () => new Promise(() => {}) }).keyed);
    const controller = new AbortController();
    const waiting = runKeyed(write(journal, done, { signal: controller.signal }).keyed);
    controller.abort(new CallError("ABORTED", "enough"));
    await expect(waiting).rejects.toMatchObject({
      code: "ABORTED",
      message: "enough",
      details: { outcome: "unknown" },
    });
  });

  it("a keyed write whose process died after sending has the outcome unknown and is not sent a second time", async () => {
    const journal: Journal = {
      ...memoryJournal(),
      begin: async () => ({ state: "unknown", requestId: "r0" }),
    };
    const { keyed, runs } = write(journal);
    await expect(runKeyed(keyed)).rejects.toMatchObject({
      code: "OUTCOME_UNKNOWN",
      message: expect.stringContaining("r0") as unknown,
      details: { outcome: "unknown" },
    });
    expect(runs).toEqual([]);
  });
});

/**
 * A journal in which the outcome of an earlier call is unknown, and the results that are
 * recorded for it.
 */
function afterLostCall() {
  const recorded: unknown[] = [];
  const probe = { resolve: async (found: unknown) => void recorded.push(found) };
  const begin = async () => ({ state: "unknown", requestId: "r0", probe }) as const;
  return { recorded, journal: { ...memoryJournal(), begin } satisfies Journal };
}

describe("repeatable keyed writes of unknown outcome", () => {
  const again: Partial<KeyedWrite> = { probe: async () => "send_again" };

  it("a repeatable keyed write of unknown outcome is sent once more, and its success is recorded", async () => {
    const { journal, recorded } = afterLostCall();
    const { keyed, runs } = write(journal, done, again);
    expect(await runKeyed(keyed)).toBe(done);
    expect([runs, recorded]).toEqual([["r1"], [done]]);
  });

  it.each(["not_applied", "unknown"] as const)(
    "a repeatable keyed write keeps the outcome unknown if the second attempt ends as %s",
    async (outcome) => {
      const { journal, recorded } = afterLostCall();
      const { keyed } = write(journal, failed(outcome), again);
      const { error } = await runKeyed(keyed);
      expect(error).toMatchObject({ retryable: false, details: { outcome: "unknown" } });
      expect(recorded).toEqual([]);
    },
  );

  it("a keyed write whose result a verify read finds is recorded and not sent a second time", async () => {
    const { journal, recorded } = afterLostCall();
    const { keyed, runs } = write(journal, done, { probe: async () => done });
    expect(await runKeyed(keyed)).toBe(done);
    expect([runs, recorded]).toEqual([[], [done]]);
  });

  it("the error of a keyed write with an unknown outcome contains what the verify read saw", async () => {
    const { journal } = afterLostCall();
    const seen = { seen: "The list has no such issue" };
    const { keyed, runs } = write(journal, done, { probe: async () => seen });
    await expect(runKeyed(keyed)).rejects.toMatchObject({
      details: { outcome: "unknown", probe: seen.seen },
    });
    const silent = write(journal, done, { probe: async () => ({ seen: undefined }) });
    const told = await runKeyed(silent.keyed).catch((error: unknown) => error as CallError);
    expect((told as CallError).details).not.toHaveProperty("probe");
    expect(runs).toEqual([]);
  });

  it("a repeated keyed write is marked as perhaps applied before, because a refusal says nothing about the first attempt", async () => {
    const { journal } = afterLostCall();
    let seen: SendHooks | undefined;
    const run = async (hooks: SendHooks) => {
      seen = hooks;
      return done;
    };
    await runKeyed(write(journal, done, { ...again, run }).keyed);
    expect(seen?.isDoubtful).toBe(true);
  });
});

describe("journals that fail", () => {
  it("a keyed write does not run if the journal cannot record its beginning", async () => {
    const journal = memoryJournal();
    await journal.close();
    const { keyed, runs } = write(journal);
    await expect(runKeyed(keyed)).rejects.toMatchObject({ details: { code: "NOT_READY" } });
    expect(runs).toEqual([]);
  });

  it("a keyed write is not sent if the journal cannot record the sending", async () => {
    let isSent = false;
    const { keyed } = write(failing("sent"), done, {
      run: async ({ beforeSend }) => {
        try {
          await beforeSend();
          isSent = true;
          return done;
        } catch {
          return failed("not_applied");
        }
      },
    });
    expect([(await runKeyed(keyed)).ok, isSent]).toEqual([false, false]);
  });

  it("a keyed write returns a warning if the journal cannot record its result", async () => {
    const { keyed } = write(failing("settle"));
    expect(await runKeyed(keyed)).toMatchObject({
      ok: true,
      meta: { warnings: ["The result of this write could not be recorded: disk full"] },
    });
  });
});

/** The events that a journal receives while a write uses its hooks. */
async function steps(work: (hooks: SendHooks) => Promise<void>): Promise<string[]> {
  const taken: string[] = [];
  const note = (step: string) => async (): Promise<void> => void taken.push(step);
  const lease: JournalLease = {
    requestId: "r1",
    attempt: 1,
    sent: note("sent"),
    again: note("again"),
    settle: note("settle"),
  };
  const begin: Journal["begin"] = async () => ({ state: "owned", lease });
  const run = async (hooks: SendHooks): Promise<ResultEnvelope> => {
    await work(hooks);
    return done;
  };
  await runKeyed(write({ ...memoryJournal(), begin }, done, { run }).keyed);
  return taken;
}

describe("journal notes of a keyed write", () => {
  it("the journal notes the sending of a keyed write once, and once more for each retry after not_applied", async () => {
    const taken = await steps(async ({ beforeSend, onAgain }) => {
      await onAgain("not_applied");
      await beforeSend();
      await beforeSend();
      await onAgain("not_applied");
      await beforeSend();
    });
    expect(taken).toEqual(["sent", "again", "sent", "settle"]);
  });

  it("the journal keeps the note that a keyed write was sent while the outcome is unknown", async () => {
    const taken = await steps(async ({ beforeSend, onAgain }) => {
      await beforeSend();
      await onAgain("unknown");
      await beforeSend();
    });
    expect(taken).toEqual(["sent", "settle"]);
  });
});
