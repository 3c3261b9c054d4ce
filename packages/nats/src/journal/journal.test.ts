import { journalContract } from "@waybill/core/testing";
import { describe, it, onTestFinished } from "vitest";
import { describeWithServer, newService } from "../../../../test/support/nats.ts";
import { connectNats, natsJournal } from "../index.ts";
import type { NatsLink } from "../index.ts";

describeWithServer((server) => {
  async function link(service = newService()): Promise<NatsLink> {
    const made = await connectNats({ servers: server().url, service });
    onTestFinished(() => made.close());
    return made;
  }

  describe("a journal in JetStream", () => {
    const cases = journalContract(async () => natsJournal(await link()));
    for (const { name, run } of cases) it(name, () => run());
  });
});
