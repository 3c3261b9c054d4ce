import { createWaybill, defineOperation } from "@waybill/core";
import { connectNats, natsJournal, natsSource, serveNats } from "@waybill/nats";
import type { NatsLink } from "@waybill/nats";
import { expect, it, onTestFinished } from "vitest";
import { startCluster } from "../support/nats-server.ts";
import { newService } from "../support/nats.ts";
import { describeWithProgram } from "../support/programs.ts";

/** Nobody takes the owner of a key for dead, and no call waits until its end is recorded. */
const JOURNAL = { leaseMs: 3_600_000, settleMs: 1 };

describeWithProgram("nats-server", () => {
  it("answers a keyed write whose connection and journal were lost after it was applied", async () => {
    const servers = await startCluster(onTestFinished);
    const [first, second] = servers;
    const urls = servers.map(({ url }) => url);
    const service = newService();
    const link = async (ordered: readonly string[]): Promise<NatsLink> => {
      const connection = { noRandomize: true };
      const made = await connectNats({ servers: ordered, service, connection });
      onTestFinished(() => made.close());
      return made;
    };
    let applied = 0;
    let tell: () => void;
    const isApplied = new Promise<void>((resolve) => (tell = resolve));
    const order = defineOperation({
      id: "tea.order",
      description: "Orders tea while the cluster loses its majority.",
      handler: async () => {
        applied += 1;
        await Promise.all([first!.stop(), second!.stop()]);
        tell();
        return { applied };
      },
    });
    const near = await link(urls.toReversed());
    const journal = natsJournal(near, JOURNAL);
    onTestFinished(() => journal.close());
    await serveNats(near, createWaybill({ operations: [order], journal }));
    const sources = [natsSource("far", await link(urls), { sharedJournal: true })];
    const waybill = createWaybill({ sources });

    const answer = waybill.execute("far.tea.order", {}, { idempotency_key: "k" });
    await isApplied;
    await expect.poll(() => journal.problem).toBeDefined();
    await Promise.all([first!.start(), second!.start()]);
    expect(await answer).toMatchObject({ ok: true, data: { applied: 1 } });
    expect(applied).toBe(1);
  });
});
