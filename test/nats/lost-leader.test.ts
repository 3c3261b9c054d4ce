import { createWaybill, defineOperation } from "@waybill/core";
import type { Journal } from "@waybill/core";
import type { JournalVerdict } from "@waybill/core/protocol";
import { connectNats, natsJournal, natsSource, serveNats } from "@waybill/nats";
import type { NatsLink, NatsOptions } from "@waybill/nats";
import { expect, it, onTestFinished } from "vitest";
import { startCluster } from "../support/nats-server.ts";
import type { NatsServer } from "../support/nats-server.ts";
import { newService } from "../support/nats.ts";
import { describeWithProgram } from "../support/programs.ts";

/**
 * The lease is longer than the test, so no other worker takes over the key. The time to settle is
 * short, so a call does not wait until its end is recorded.
 */
const JOURNAL = { leaseMs: 3_600_000, settleMs: 1 };

async function link(options: NatsOptions): Promise<NatsLink> {
  const made = await connectNats(options);
  onTestFinished(() => made.close());
  return made;
}

/** All servers of the cluster. The first is the leader of the journal's stream. */
async function leaderFirst(
  servers: readonly NatsServer[],
  { connection, service }: NatsLink,
): Promise<NatsServer[]> {
  const info = await connection.request(`$JS.API.STREAM.INFO.KV_${service}-journal`);
  const { cluster } = info.json<{ cluster: { leader: string } }>();
  const leader = servers[Number(cluster.leader.replace("node", ""))]!;
  return [leader, ...servers.filter((server) => server !== leader)];
}

/** The same journal, which reports when a call stops waiting for the record of its end. */
function watched(journal: Journal, onGivenUp: () => void): Journal {
  const watch = (verdict: JournalVerdict): JournalVerdict => {
    if (verdict.state !== "owned") return verdict;
    const { lease } = verdict;
    const settle: typeof lease.settle = async (...end) => {
      await lease.settle(...end).catch((error: unknown) => {
        onGivenUp();
        throw error;
      });
    };
    const { requestId, attempt } = lease;
    const own = {
      requestId,
      attempt,
      sent: lease.sent.bind(lease),
      again: lease.again.bind(lease),
    };
    return { state: "owned", lease: { ...own, settle } };
  };
  return {
    begin: async (...call) => watch(await journal.begin(...call)),
    join: async (...call) => watch(await journal.join(...call)),
    close: () => journal.close(),
  };
}

describeWithProgram("nats-server", () => {
  it("a keyed write through NATS is answered although its connection and journal were lost after the write was applied", async () => {
    const servers = await startCluster(onTestFinished);
    const service = newService();
    const near = await link({ servers: servers.map(({ url }) => url), service });
    const journal = natsJournal(near, JOURNAL);
    onTestFinished(() => journal.close());
    await journal.check?.();
    const ordered = await leaderFirst(servers, near);
    const lost = ordered.slice(0, 2);
    let applied = 0;
    const order = defineOperation({
      id: "tea.order",
      description: "Orders tea while the cluster loses its majority.",
      handler: async () => {
        applied += 1;
        await Promise.all(lost.map((server) => server.stop()));
        return { applied };
      },
    });
    let giveUp: () => void;
    const isGivenUp = new Promise<void>((resolve) => (giveUp = resolve));
    const served = createWaybill({
      operations: [order],
      journal: watched(journal, () => giveUp()),
    });
    await serveNats(near, served);
    const far = await link({
      servers: ordered.map(({ url }) => url),
      service,
      connection: { noRandomize: true },
    });
    const waybill = createWaybill({ sources: [natsSource("far", far, { sharedJournal: true })] });

    const answer = waybill.execute("far.tea.order", {}, { idempotency_key: "k" });
    await isGivenUp;
    await Promise.all(lost.map((server) => server.start()));
    expect(await answer).toMatchObject({ ok: true, data: { applied: 1 } });
    expect(applied).toBe(1);
  });
});
