import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  OperationRegistry,
  PendingRequestMap,
  createWaybill,
  defineOperation,
  defineSubscription,
} from "@waybill/core";
import { executeRemotely } from "@waybill/core/protocol";
import type { OperationContext } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeWithServer, newService } from "../../../test/support/nats.ts";
import { startServer } from "../../../test/support/nats-server.ts";
import { connectNats, serveNats } from "./index.ts";
import type { NatsLink, NatsOptions } from "./index.ts";

type Handler = (input: unknown, context: OperationContext) => unknown;

function getRegistry(handlers: Record<string, Handler>): OperationRegistry {
  const registry = new OperationRegistry();
  for (const [id, handler] of Object.entries(handlers)) {
    registry.register(defineOperation({ id, description: "For a test", effect: "read", handler }));
  }
  return registry;
}

const tell: Handler = (_input, context) => ({
  requestId: context.requestId,
  parentRequestId: context.parentRequestId,
  idempotencyKey: context.idempotencyKey,
  trace: context.trace,
  isInTime: context.deadline !== undefined && context.deadline > Date.now(),
  identity: context.identity,
});

const breakDown: Handler = () => {
  throw new Error("broken\nin two");
};

/** An operation that ends only when it is aborted, and counts how often it was started. */
function hanging(): { hang: Handler; begun: () => number } {
  let begun = 0;
  const hang: Handler = (_input, { signal }) =>
    new Promise((_resolve, reject) => {
      begun += 1;
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  return { hang, begun: () => begun };
}

/** A way to a server that can stop to deliver without closing a connection. */
async function startRelay(port: number): Promise<{ url: string; silence: () => void }> {
  const sockets: Socket[] = [];
  const relay = createServer((client) => {
    const server = connect(port, "127.0.0.1");
    sockets.push(client, server);
    client.on("data", (chunk) => server.write(chunk)).on("error", () => {});
    server.on("data", (chunk) => client.write(chunk)).on("error", () => {});
  });
  await once(relay.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
  return {
    url: `nats://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    silence: () => {
      for (const socket of sockets) socket.pause();
    },
  };
}

const FACTS = { description: "", effect: "read", idempotent: true, kind: "call" };
const SCHEMAS = { inputSchema: true, outputSchema: true };

/** A message of a worker that describes one operation. */
function described(id: string, more: boolean): string {
  return JSON.stringify({ worker: "w1", operations: [{ id, ...FACTS, ...SCHEMAS }], more });
}

const takeTime: Handler = () => delay(3_000, "done");

/** The error of a call as a value, because the test awaits the promise later. */
function callFailureOrValue(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describeWithServer((server) => {
  async function link(options: Partial<NatsOptions>): Promise<NatsLink> {
    const made = await connectNats({ servers: server().url, ...options });
    onTestFinished(() => made.close());
    return made;
  }

  async function callsTo(service: string, more: Partial<NatsOptions> = {}) {
    return new PendingRequestMap({ transport: (await link({ service, ...more })).transport });
  }

  describe("context of a call over NATS", () => {
    it("the handler of a NATS worker gets the ids, the deadline, the key and the trace of a call", async () => {
      const service = newService();
      await serveNats(await link({ service }), getRegistry({ "a.tell": tell }));
      const { data } = await (
        await callsTo(service)
      ).call(
        "a.tell",
        {},
        {
          requestId: "r 1",
          parentRequestId: "p\n2",
          idempotencyKey: "k%☕",
          trace: { traceparent: "00-ab" },
          deadline: Date.now() + 600_000,
        },
      );
      expect(data).toEqual({
        requestId: "r 1",
        parentRequestId: "p\n2",
        idempotencyKey: "k%☕",
        trace: { traceparent: "00-ab" },
        isInTime: true,
        identity: { id: "", scopes: [] },
      });
    });

    it("the handler of a NATS worker gets the caller's identity if the service has a key", async () => {
      const service = newService();
      const key = "a secret of the whole cluster";
      const secret = defineOperation({
        id: "a.secret",
        description: "For a few",
        effect: "read",
        access: { all: ["see"] },
        handler: (_input, { identity }) => identity?.id,
      });
      const waybill = createWaybill({ operations: [secret] });
      await serveNats(await link({ service, key }), waybill);
      const calls = await callsTo(service, { key });
      const ada = { id: "ada", scopes: ["see"] };
      expect((await calls.call("a.secret", {}, { identity: ada })).data).toBe("ada");
      await expect(calls.call("a.secret")).rejects.toMatchObject({ details: { code: "POLICY" } });
      const strangers = await callsTo(service);
      const refused = await executeRemotely(strangers, "a.secret");
      expect(refused.error).toMatchObject({ code: "AUTH", details: { outcome: "not_applied" } });
      await expect(strangers.discover()).rejects.toMatchObject({ details: { code: "AUTH" } });
      await expect(strangers.call("a.secret", {}, { identity: ada })).rejects.toMatchObject({
        code: "ACCESS_DENIED",
      });
    });
  });

  describe("workers of one service", () => {
    it("discover finds the different operations of all workers of one NATS service", async () => {
      const service = newService();
      await serveNats(await link({ service }), getRegistry({ "a.one": () => 1 }));
      await serveNats(await link({ service }), getRegistry({ "b.two": () => 2 }));
      const calls = await callsTo(service);
      expect((await calls.discover()).map(({ id }) => id)).toEqual(["a.one", "b.two"]);
      expect((await calls.call("a.one")).data).toBe(1);
      expect((await calls.call("b.two")).data).toBe(2);
    });

    it("a NATS worker describes 3,000 operations in several messages", async () => {
      const service = newService();
      const many = Object.fromEntries(
        Array.from({ length: 3_000 }, (_, each) => [`op.number-${each}`, () => each] as const),
      );
      await serveNats(await link({ service }), getRegistry(many));
      expect(await (await callsTo(service)).discover()).toHaveLength(3_000);
    });

    it("discover waits for the rest of the description of a busy NATS worker", async () => {
      const service = newService();
      const { connection } = await link({ service });
      connection.subscribe(`${service}.describe`, {
        callback: (_error, message) => {
          message.respond(described("a.one", true));
          setTimeout(() => message.respond(described("a.two", false)), 600);
        },
      });
      await connection.flush();
      const found = await (await callsTo(service)).discover();
      expect(found.map(({ id }) => id)).toEqual(["a.one", "a.two"]);
    });

    it("discover refuses NATS workers that speak a newer version of the call protocol", async () => {
      const service = newService();
      const { connection } = await link({ service });
      connection.subscribe(`${service}.describe`, {
        callback: (_error, message) =>
          void message.respond('{"worker":"w","protocol":2,"operations":[],"more":false}'),
      });
      await connection.flush();
      await expect((await callsTo(service)).discover()).rejects.toMatchObject({
        message: `The workers of ${service} speak version 2 of the call protocol, but this Waybill speaks version 1. Update Waybill`,
        details: { code: "ADAPTER_UNSUPPORTED" },
      });
    });

    it("a NATS client without Waybill gets a worker's info and statistics by the services protocol of NATS", async () => {
      const service = newService();
      await serveNats(
        await link({ service }),
        getRegistry({ "a.one": () => 1, "a.fail": breakDown }),
      );
      const calls = await callsTo(service);
      await calls.call("a.one");
      await calls.call("a.fail").catch(() => {});
      const { connection } = await link({ service });
      const ask = async (verb: string): Promise<Record<string, unknown>> =>
        (await connection.request(`$SRV.${verb}.${service}`)).json();
      const ping = await ask("PING");
      expect(ping).toMatchObject({
        type: "io.nats.micro.v1.ping_response",
        name: service,
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/u) as string,
      });
      const all = await connection.requestMany("$SRV.PING", "", { maxWait: 300 });
      const names: string[] = [];
      for await (const each of all) names.push(each.json<{ name: string }>().name);
      expect(names).toContain(service);
      expect(await ask("INFO")).toMatchObject({
        type: "io.nats.micro.v1.info_response",
        endpoints: expect.arrayContaining([
          { name: "a_one", subject: `${service}.op.a.one`, queue_group: service },
        ]) as unknown[],
      });
      expect(await ask("STATS")).toMatchObject({
        type: "io.nats.micro.v1.stats_response",
        endpoints: [
          { name: "a_fail", num_requests: 1, num_errors: 1, last_error: "broken\nin two" },
          { name: "a_one", num_requests: 1, num_errors: 0 },
          { name: "any" },
        ],
      });
    });
  });

  describe("draining a worker", () => {
    it("a draining NATS worker finishes the calls it has begun and takes no new calls", async () => {
      const service = newService();
      let finish: (() => void) | undefined;
      const slow: Handler = () =>
        new Promise((resolve) => {
          finish = () => resolve("done");
        });
      const registry = getRegistry({ "a.slow": slow, "a.quick": () => "quick" });
      const worker = await serveNats(await link({ service }), registry);
      const calls = await callsTo(service);
      const begun = calls.call("a.slow");
      await expect.poll(() => finish).toBeDefined();
      const drained = worker.drain();
      // Repeats a quick call, because a caller is not told when the worker has stopped listening.
      const answer = () => calls.call("a.quick").catch((error: unknown) => error);
      await expect.poll(answer).toMatchObject({ details: { code: "NETWORK" } });
      finish?.();
      expect((await begun).data).toBe("done");
      await drained;
    });

    it("a draining NATS worker keeps a subscription running until the subscription ends", async () => {
      const service = newService();
      const registry = new OperationRegistry();
      registry.register(
        defineSubscription({
          id: "a.count",
          description: "Counts to forty",
          effect: "read",
          async *handler() {
            for (let value = 1; value <= 40; value++) yield await delay(20, value);
          },
        }),
      );
      const worker = await serveNats(await link({ service, probeAfterMs: 100 }), registry);
      const calls = await callsTo(service, { probeAfterMs: 100 });
      const seen: unknown[] = [];
      let drained: Promise<void> | undefined;
      for await (const { data } of calls.subscribe("a.count", {}, { window: 2 })) {
        seen.push(data);
        drained ??= worker.drain();
      }
      expect(seen).toHaveLength(40);
      await drained;
    });

    it("a draining NATS worker aborts calls that exceed its time limit", async () => {
      const service = newService();
      const { hang, begun } = hanging();
      const worker = await serveNats(await link({ service }), getRegistry({ "a.hang": hang }));
      const failure = callFailureOrValue((await callsTo(service)).call("a.hang"));
      await expect.poll(begun).toBe(1);
      await worker.drain(50);
      expect(await failure).toMatchObject({ code: "ABORTED" });
    });
  });

  describe("a worker that dies silently", () => {
    it("a call to a NATS worker that died silently has an unknown outcome", async () => {
      const service = newService();
      const { hang, begun } = hanging();
      const dying = await link({ service });
      await serveNats(dying, getRegistry({ "a.hang": hang }));
      const calls = await callsTo(service, { probeAfterMs: 100 });
      const failure = callFailureOrValue(calls.call("a.hang"));
      await expect.poll(begun).toBe(1);
      await dying.connection.close();
      expect(await failure).toMatchObject({
        code: "OUTCOME_UNKNOWN",
        details: { outcome: "unknown" },
      });
    });

    it("a NATS requester notices a worker that died silently while other workers run", async () => {
      const service = newService();
      const { hang, begun } = hanging();
      const dying = await link({ service });
      await serveNats(dying, getRegistry({ "a.hang": hang }));
      const calls = await callsTo(service, { probeAfterMs: 100 });
      const failure = callFailureOrValue(calls.call("a.hang"));
      await expect.poll(begun).toBe(1);
      await serveNats(await link({ service }), getRegistry({ "a.other": () => 1 }));
      await dying.connection.close();
      expect(await failure).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    });

    it("a call to a slow NATS worker waits for the answer and does not report a dead worker", async () => {
      const service = newService();
      await serveNats(await link({ service }), getRegistry({ "a.slow": takeTime }));
      const calls = await callsTo(service, { probeAfterMs: 100 });
      expect((await calls.call("a.slow")).data).toBe("done");
    });
  });
});

describeWithServer(() => {
  it("a call that a restart of the NATS server interrupts is unknown, and later calls succeed", async () => {
    const server = await startServer(onTestFinished);
    const service = newService();
    const worker = await connectNats({ servers: server.url, service });
    onTestFinished(() => worker.close());
    const { hang, begun } = hanging();
    await serveNats(worker, getRegistry({ "a.one": () => 1, "a.hang": hang }));
    const far = await connectNats({ servers: server.url, service });
    onTestFinished(() => far.close());
    const calls = new PendingRequestMap({ transport: far.transport });
    const lost = callFailureOrValue(calls.call("a.hang"));
    await expect.poll(begun).toBe(1);
    await server.stop();
    expect(await lost).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    await expect(calls.call("a.one")).rejects.toMatchObject({
      details: { code: "NETWORK", outcome: "not_applied", preflight: "SOURCE_DOWN" },
    });
    await server.start();
    await expect
      .poll(() =>
        calls.call("a.one").then(
          ({ data }) => data,
          () => undefined,
        ),
      )
      .toBe(1);
  });

  it("a worker ends after its time limit although its NATS server answers nothing", async () => {
    const server = await startServer(onTestFinished);
    const relay = await startRelay(server.port);
    const link = await connectNats({ servers: relay.url, service: newService() });
    const worker = await serveNats(link, getRegistry({ "a.tell": tell }));
    relay.silence();
    expect(await worker.drain(50)).toBeUndefined();
    await link.close();
  });

  it("a call returns AUTH at once if the NATS server does not allow the subject", async () => {
    const folder = await mkdtemp(join(tmpdir(), "waybill-nats-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "server.conf");
    const denied = '{ publish: { deny: ["locked.>"] } }';
    const user = `{ user: ada, password: secret, permissions: ${denied} }`;
    await writeFile(file, `authorization { users: [${user}] }\n`);
    const server = await startServer(onTestFinished, ["-c", file]);
    const servers = server.url.replace("//", "//ada:secret@");
    const made = await connectNats({ servers, service: "locked" });
    onTestFinished(() => made.close());
    const calls = new PendingRequestMap({ transport: made.transport });
    await expect(calls.call("a.one")).rejects.toMatchObject({
      details: { code: "AUTH", outcome: "not_applied" },
    });
  });

  it("a connection to NATS returns AUTH for a wrong password, and succeeds with the right password", async () => {
    const server = await startServer(onTestFinished, [
      "-js",
      "--user",
      "ada",
      "--pass",
      "right password",
    ]);
    const service = newService();
    const wrong = connectNats({ servers: server.url.replace("//", "//ada:wrong@"), service });
    await expect(wrong).rejects.toMatchObject({ details: { code: "AUTH" } });
    const right = server.url.replace("//", "//ada:right%20password@");
    const made = await connectNats({ servers: right, service });
    onTestFinished(() => made.close());
    await serveNats(made, getRegistry({ "a.one": () => 1 }));
    const calls = new PendingRequestMap({ transport: made.transport });
    expect((await calls.call("a.one")).data).toBe(1);
  });
});
