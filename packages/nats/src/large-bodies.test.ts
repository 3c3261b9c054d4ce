import { headers } from "@nats-io/transport-node";
import {
  OperationRegistry,
  PendingRequestMap,
  defineOperation,
  defineSubscription,
} from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeWithServer, newService } from "../../../test/support/nats.ts";
import { connectNats, natsJournal, serveNats } from "./index.ts";
import type { NatsLink, NatsOptions } from "./index.ts";

function echo(): OperationRegistry {
  const registry = new OperationRegistry();
  registry.register(
    defineOperation({ id: "text.echo", description: "Echo", handler: (input) => input }),
  );
  return registry;
}

describeWithServer((server) => {
  async function link(options: Omit<NatsOptions, "servers">): Promise<NatsLink> {
    const made = await connectNats({ servers: server().url, ...options });
    onTestFinished(() => made.close());
    return made;
  }

  describe("large bodies", () => {
    const large = "grüße ".repeat(400_000);

    it("a large NATS request and a large response travel through the object store", async () => {
      const service = newService();
      await serveNats(await link({ service }), echo());
      const calls = new PendingRequestMap({ transport: (await link({ service })).transport });
      const { data } = await calls.call("text.echo", { large });
      expect((data as { large: string }).large === large).toBe(true);
    });

    it("large values of a NATS subscription arrive in order between small ones", async () => {
      const registry = new OperationRegistry();
      registry.register(
        defineSubscription({
          id: "text.sizes",
          description: "Texts of all sizes",
          effect: "read",
          async *handler() {
            for (let each = 0; each < 6; each++) yield each % 2 === 0 ? large : "small";
          },
        }),
      );
      const service = newService();
      await serveNats(await link({ service }), registry);
      const calls = new PendingRequestMap({ transport: (await link({ service })).transport });
      const sizes: number[] = [];
      for await (const { data } of calls.subscribe("text.sizes")) sizes.push(String(data).length);
      expect(sizes).toEqual([large.length, 5, large.length, 5, large.length, 5]);
    });

    it("a NATS requester and a NATS worker each refuse a body over their limit", async () => {
      const service = newService();
      await serveNats(await link({ service, maxBodyBytes: 1_000_000 }), echo());
      const stingy = await link({ service, maxBodyBytes: 1_000_000 });
      const calls = new PendingRequestMap({ transport: stingy.transport });
      const refusal = { details: { code: "TOO_LARGE", outcome: "not_applied" } };
      await expect(calls.call("text.echo", { large })).rejects.toMatchObject(refusal);
      const generous = await link({ service, maxBodyBytes: 10_000_000 });
      const others = new PendingRequestMap({ transport: generous.transport });
      await expect(others.call("text.echo", { large })).rejects.toMatchObject(refusal);
    });

    it("the error for a body that is not in the NATS object store says so", async () => {
      const service = newService();
      const { connection } = await link({ service });
      await serveNats(await link({ service }), echo());
      const named = headers();
      named.set("Waybill-Body", "nowhere");
      const options = { headers: named, timeout: 60_000 };
      const answer = await connection.request(`${service}.op.text.echo`, "", options);
      expect(answer.headers?.get("Nats-Service-Error")).toContain(
        "has expired, or was read already",
      );
    });
  });
});

describeWithServer((server) => {
  it("the errors for a large NATS body and a NATS journal say that JetStream is needed", async () => {
    const service = newService();
    const made = await connectNats({ servers: server().url, service });
    onTestFinished(() => made.close());
    const journal = natsJournal(made);
    await journal.check?.();
    expect(journal.problem).toContain("nats-server -js");
    await serveNats(made, new OperationRegistry());
    const calls = new PendingRequestMap({ transport: made.transport });
    await expect(calls.call("a.b", "x".repeat(2_000_000))).rejects.toMatchObject({
      details: { code: "TOO_LARGE", hint: expect.stringContaining("nats-server -js") as string },
    });
  });
}, []);
