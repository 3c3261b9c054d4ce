import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Kvm } from "@nats-io/kv";
import { successResult } from "@waybill/core/protocol";
import type { Journal } from "@waybill/core";
import type { JournalLease, JournalVerdict } from "@waybill/core/protocol";
import { journalContract } from "@waybill/core/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { describeWithServer, newService } from "../../../../test/support/nats.ts";
import { startLosingProxy } from "../../../../test/support/lost-acknowledgement.ts";
import { startServer } from "../../../../test/support/nats-server.ts";
import { connectNats, natsJournal } from "../index.ts";
import type { NatsJournalOptions, NatsLink } from "../index.ts";

const KEY = { key: "k", identity: "me", host: "h", capability: "a.b", digest: "d" };
const DONE = successResult({ id: 1 }, { capability_id: "a.b" });
/** The times of a lease that is renewed much earlier than it expires. */
const BRIEF = { leaseMs: 3_000, renewMs: 100 };
/** The times of a lease that never expires, so that nobody takes its owner for dead. */
const ENDLESS = { leaseMs: 3_600_000 };
/** Longer than a lease that nobody renews. */
const AFTER_A_LEASE_MS = 60_000;

function natsLease(verdict: JournalVerdict): JournalLease {
  if (verdict.state !== "owned") throw new Error(`expected owned, got ${verdict.state}`);
  return verdict.lease;
}

/** Changes the clock of this process, but not that of the server. */
function letTimePass(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
  onTestFinished(() => void vi.useRealTimers());
}

describeWithServer((server) => {
  async function link(service = newService(), url = server().url): Promise<NatsLink> {
    const made = await connectNats({ servers: url, service });
    onTestFinished(() => made.close());
    return made;
  }

  /** A second connection, which the journal treats like another process. */
  async function getJournal(service: string, options: NatsJournalOptions = {}): Promise<Journal> {
    const journal = natsJournal(await link(service), options);
    onTestFinished(() => journal.close());
    return journal;
  }

  /** A journal behind a proxy that can lose an acknowledgement, and another process. */
  async function lossy(options: NatsJournalOptions = {}) {
    const service = newService();
    const proxy = await startLosingProxy(server().port, onTestFinished);
    const journal = natsJournal(await link(service, proxy.url), options);
    onTestFinished(() => journal.close());
    await journal.check?.();
    return { proxy, journal, other: await getJournal(service, ENDLESS) };
  }

  describe("the journal in JetStream", () => {
    const cases = journalContract(async () => natsJournal(await link()));
    for (const { name, run } of cases) it(name, () => run());

    it("all machines of a NATS service share one journal", async () => {
      const service = newService();
      const [here, there] = [await getJournal(service), await getJournal(service)];
      const lease = natsLease(await here.begin(KEY, "r1"));
      expect(await there.begin(KEY, "r2")).toEqual({ state: "in_flight", requestId: "r1" });
      const waiting = there.join(KEY, new AbortController().signal, "r3");
      await lease.sent();
      await lease.settle(DONE, "applied");
      expect(await waiting).toEqual({ state: "settled", result: DONE });
      expect(await here.begin({ ...KEY, digest: "other" }, "r4")).toEqual({ state: "conflict" });
    });

    it("several processes can use a NATS journal at once that does not exist yet", async () => {
      const links = await Promise.all(Array.from({ length: 4 }, () => link()));
      for (let round = 0; round < 100; round++) {
        const bucket = newService();
        const journals = links.map((each) => natsJournal(each, { bucket }));
        const verdicts = journals.map((journal, index) => journal.begin(KEY, `r${index}`));
        const states = (await Promise.all(verdicts)).map(({ state }) => state);
        expect(states.toSorted()).toEqual(["in_flight", "in_flight", "in_flight", "owned"]);
        await Promise.all(journals.map((journal) => journal.close()));
      }
    });

    it("the NATS journal renews the lease of a long call", async () => {
      const service = newService();
      const [here, there] = [await getJournal(service, BRIEF), await getJournal(service, BRIEF)];
      const lease = natsLease(await here.begin(KEY, "r1"));
      await lease.sent();
      const waiting = there.join(KEY, new AbortController().signal, "r3");
      await delay(2 * BRIEF.leaseMs);
      expect(await there.begin(KEY, "r2")).toMatchObject({ state: "in_flight" });
      await lease.settle(DONE, "applied");
      expect(await there.begin(KEY, "r2")).toMatchObject({ state: "settled" });
      expect(await waiting).toMatchObject({ state: "settled" });
    });

    it("after the lease of an unsent call expired, the next caller gets the key and the first caller cannot send", async () => {
      const service = newService();
      const dead = await getJournal(service, { renewMs: 3_600_000 });
      const lost = natsLease(await dead.begin(KEY, "r1"));
      letTimePass(AFTER_A_LEASE_MS);
      const next = await getJournal(service);
      const taken = natsLease(await next.begin({ ...KEY, digest: "other" }, "r2"));
      await expect(lost.sent()).rejects.toMatchObject({
        details: { code: "NOT_READY", outcome: "unknown" },
      });
      await taken.sent();
      await taken.settle(DONE, "applied");
    });

    it("a sent write is unknown after its lease in the NATS journal has expired, until its sender records the outcome", async () => {
      const service = newService();
      const dead = await getJournal(service, { renewMs: 3_600_000 });
      const lease = natsLease(await dead.begin(KEY, "r1"));
      await lease.sent();
      letTimePass(AFTER_A_LEASE_MS);
      const next = await getJournal(service);
      expect(await next.begin(KEY, "r2")).toMatchObject({ state: "unknown", requestId: "r1" });
      await lease.settle(DONE, "applied");
      expect(await next.begin(KEY, "r3")).toEqual({ state: "settled", result: DONE });
    });

    it("a caller whose clock was set back waits for a dead process only as long as its lease", async () => {
      const service = newService();
      const dead = await getJournal(service, { renewMs: 3_600_000 });
      const lease = natsLease(await dead.begin(KEY, "r1"));
      await lease.sent();
      letTimePass(-7_200_000);
      const next = await getJournal(service, { leaseMs: 1_000 });
      expect(await next.begin(KEY, "r2")).toMatchObject({ state: "in_flight" });
      const joined = next.join(KEY, new AbortController().signal, "r3");
      expect(await joined).toMatchObject({ state: "unknown", requestId: "r1" });
    });

    it("the NATS journal records the outcome of a result that is too large, without its data", async () => {
      const journal = await getJournal(newService());
      const lease = natsLease(await journal.begin(KEY, "r1"));
      await lease.sent();
      const large = successResult({ text: "x".repeat(1_500_000) }, { capability_id: "a.b" });
      await lease.settle(large, "applied");
      expect(await journal.begin(KEY, "r2")).toMatchObject({
        state: "settled",
        result: { ok: true, data: null, meta: { truncated: true } },
      });
    });
  });

  describe("a journal that cannot be used", () => {
    it("the error of the NATS journal says that JetStream is missing", async () => {
      const plain = await startServer(onTestFinished, []);
      const journal = natsJournal(await link(newService(), plain.url));
      onTestFinished(() => journal.close());
      await expect(journal.begin(KEY, "r1")).rejects.toMatchObject({
        message: "The journal of writes on NATS needs JetStream",
        details: { hint: expect.stringContaining("nats-server -js") as unknown },
      });
    });

    it("the error of the NATS journal says that the journal is full", async () => {
      const folder = await mkdtemp(join(tmpdir(), "waybill-nats-full-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const config = join(folder, "nats.conf");
      await writeFile(config, "jetstream { max_file_store: 20KB, max_memory_store: 20KB }\n");
      const small = await startServer(onTestFinished, ["-c", config]);
      const journal = natsJournal(await link(newService(), small.url));
      onTestFinished(() => journal.close());
      const fill = async (): Promise<void> => {
        for (let at = 0; at < 1_000; at++) await journal.begin({ ...KEY, key: `k${at}` }, "r");
      };
      await expect(fill()).rejects.toMatchObject({
        message: "The journal of writes on NATS is full",
        details: { code: "NOT_READY", hint: expect.stringContaining("more space") as unknown },
      });
    });

    it.each(["{", '{"state":"gone"}'])(
      "the error for a damaged record of the NATS journal (%s) names the record and its bucket",
      async (damaged) => {
        const service = newService();
        const own = await link(service);
        const journal = natsJournal(own, ENDLESS);
        onTestFinished(() => journal.close());
        natsLease(await journal.begin(KEY, "r1"));
        const bucket = await new Kvm(own.connection).open(`${service}-journal`);
        let name = "";
        for await (const found of await bucket.keys()) name = found;
        await bucket.put(name, damaged);
        await expect(journal.begin(KEY, "r2")).rejects.toMatchObject({
          message: "The journal of writes on NATS has a damaged record",
          details: {
            code: "NOT_READY",
            outcome: "unknown",
            hint: `Check whether the write was applied, then delete the record: the record ${name} in the bucket ${service}-journal is damaged`,
          },
        });
      },
    );

    it("a write is reported as unknown, not as not_applied, while the NATS journal cannot be reached", async () => {
      const own = await startServer(onTestFinished);
      const service = newService();
      const [here, there] = [
        natsJournal(await link(service, own.url)),
        natsJournal(await link(service, own.url)),
      ];
      onTestFinished(async () => void (await Promise.all([here.close(), there.close()])));
      const lease = natsLease(await here.begin(KEY, "r1"));
      await lease.sent();
      await lease.settle(DONE, "applied");
      await own.stop();
      await expect(there.begin(KEY, "r2")).rejects.toMatchObject({
        details: { code: "NOT_READY", outcome: "unknown" },
      });
    });
  });

  describe("a step of the journal whose acknowledgement is lost", () => {
    it("a claim of a key that failed in the NATS journal does not hold the key until a lease expires", async () => {
      const { proxy, journal, other } = await lossy();
      proxy.loseNext();
      await expect(journal.begin(KEY, "r1")).rejects.toMatchObject({
        details: { code: "NOT_READY", outcome: "unknown" },
      });
      const joined = await other.join(KEY, new AbortController().signal, "r2");
      expect(joined).toMatchObject({ state: "owned", lease: { requestId: "r2" } });
    });

    it("the owner of a key may still send after the renewal of its lease was not acknowledged", async () => {
      const { proxy, journal, other } = await lossy({ renewMs: 50 });
      const lease = natsLease(await journal.begin(KEY, "r1"));
      proxy.loseNext();
      await expect.poll(() => proxy.isHolding).toBe(true);
      await lease.sent();
      await lease.settle(DONE, "applied");
      expect(await other.begin(KEY, "r2")).toEqual({ state: "settled", result: DONE });
    });
  });

  describe("a restart of the journal's server", () => {
    it("the NATS journal records the outcome of a write after its caller stopped waiting for the server", async () => {
      const own = await startServer(onTestFinished);
      const service = newService();
      const [journal, other] = [
        natsJournal(await link(service, own.url), { settleMs: 1 }),
        natsJournal(await link(service, own.url), ENDLESS),
      ];
      onTestFinished(async () => void (await Promise.all([journal.close(), other.close()])));
      const lease = natsLease(await journal.begin(KEY, "r1"));
      await lease.sent();
      await own.stop();
      await expect(lease.settle(DONE, "applied")).rejects.toMatchObject({
        details: { code: "NOT_READY", outcome: "applied" },
      });
      await own.start();
      const { signal } = new AbortController();
      const settled = { state: "settled", result: DONE };
      await expect.poll(() => other.join(KEY, signal, "r2")).toEqual(settled);
    });

    it("an owner does not count as dead because the server was away for longer than its lease", async () => {
      const own = await startServer(onTestFinished);
      const service = newService();
      const [journal, other] = [
        natsJournal(await link(service, own.url), ENDLESS),
        natsJournal(await link(service, own.url), { leaseMs: 1, renewMs: 3_600_000 }),
      ];
      onTestFinished(async () => void (await Promise.all([journal.close(), other.close()])));
      const lease = natsLease(await journal.begin(KEY, "r1"));
      await lease.sent();
      await own.stop();
      const begin = async (): Promise<string> => {
        const verdict = await other.begin(KEY, "r2").catch(() => undefined);
        return verdict?.state ?? "failed";
      };
      expect(await begin()).toBe("failed");
      await own.start();
      const states: string[] = [];
      await expect
        .poll(async () => states.push(await begin()) > 0 && states.at(-1))
        .not.toBe("failed");
      expect(states.at(-1)).toBe("in_flight");
    });

    it("the NATS journal refuses to send during a restart, then records outcomes and keeps earlier keys", async () => {
      const own = await startServer(onTestFinished);
      const service = newService();
      const journal = natsJournal(await link(service, own.url), { settleMs: 60_000 });
      onTestFinished(() => journal.close());
      const [begun, sent] = [
        natsLease(await journal.begin(KEY, "r1")),
        natsLease(await journal.begin({ ...KEY, key: "k2" }, "r2")),
      ];
      await sent.sent();
      await own.stop();
      await expect(begun.sent()).rejects.toMatchObject({
        details: { code: "NOT_READY", outcome: "not_applied" },
      });
      expect(journal.problem).toContain("cannot be used");
      const settled = sent.settle(DONE, "applied");
      await own.start();
      await settled;
      expect(await journal.begin({ ...KEY, key: "k2" }, "r3")).toEqual({
        state: "settled",
        result: DONE,
      });
      expect(journal.problem).toBeUndefined();
    });
  });
});
