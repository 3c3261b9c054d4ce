import { once } from "node:events";
import { createConnection } from "node:net";
import { connect, headers } from "@nats-io/transport-node";
import type { Msg, MsgHdrs, NatsConnection } from "@nats-io/transport-node";
import {
  OperationRegistry,
  PendingRequestMap,
  defineOperation,
  defineSubscription,
} from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeWithServer, newService } from "../../../test/support/nats.ts";
import { connectNats, serveNats } from "./index.ts";
import type { NatsLink, NatsOptions } from "./index.ts";

interface Setup {
  readonly service: string;
  readonly calls: PendingRequestMap;
  readonly link: NatsLink;
  /** A peer that uses NATS directly, without Waybill. */
  readonly peer: NatsConnection;
  readonly ran: unknown[];
}

function ask({ peer, service }: Setup, body: string | Uint8Array, given?: MsgHdrs): Promise<Msg> {
  const options = given === undefined ? {} : { headers: given };
  return peer.request(`${service}.op.thing.make`, body, { timeout: 60_000, ...options });
}

/** The messages of a client that uses one inbox for all its requests. */
function hear({ peer }: Setup, reply: string): unknown[] {
  const answers: unknown[] = [];
  peer.subscribe(reply, { callback: (_error, message) => void answers.push(message.json()) });
  return answers;
}

function makeHeaders(facts: Record<string, string>): MsgHdrs {
  const made = headers();
  for (const [name, value] of Object.entries(facts)) made.set(name, value);
  return made;
}

/** Publishes a message that a client would never send. */
async function publishRaw(
  port: number,
  subject: string,
  reply: string,
  given: string,
): Promise<void> {
  const socket = createConnection(port, "127.0.0.1");
  await once(socket, "data");
  const size = Buffer.byteLength(given);
  const line = `HPUB ${[subject, reply, size, size].filter((part) => part !== "").join(" ")}`;
  socket.write(`CONNECT {"verbose":false,"headers":true}\r\n${line}\r\n${given}\r\nPING\r\n`);
  await once(socket, "data");
  socket.destroy();
}

describeWithServer((server) => {
  async function link(options: Omit<NatsOptions, "servers">): Promise<NatsLink> {
    const made = await connectNats({ servers: server().url, ...options });
    onTestFinished(() => made.close());
    return made;
  }

  async function setUp(options: Partial<NatsOptions> = {}): Promise<Setup> {
    const service = newService();
    const ran: unknown[] = [];
    const registry = new OperationRegistry();
    registry.register(
      defineOperation({
        id: "thing.make",
        description: "Makes a thing",
        handler: (input) => {
          ran.push(input);
          return { made: ran.length };
        },
      }),
    );
    registry.register(
      defineOperation({
        id: "thing.wait",
        description: "Ends when it is told to",
        effect: "read",
        handler: (_input, { signal }) =>
          new Promise((_resolve, reject) => {
            ran.push("begun");
            signal.addEventListener("abort", () => {
              ran.push("aborted");
              reject(signal.reason as Error);
            });
          }),
      }),
    );
    registry.register(
      defineSubscription({
        id: "thing.watch",
        description: "Yields for ever",
        effect: "read",
        async *handler() {
          try {
            for (;;) yield ran.push("value");
          } finally {
            ran.push("closed");
          }
        },
      }),
    );
    await serveNats(await link({ service, ...options }), registry);
    const caller = await link({ service, ...options });
    const peer = await connect({ servers: new URL(server().url).host });
    onTestFinished(() => peer.close());
    const calls = new PendingRequestMap({ transport: caller.transport });
    return { service, calls, link: caller, peer, ran };
  }

  describe("requests to a worker", () => {
    it("a NATS client without Waybill can call an operation of a worker", async () => {
      const setup = await setUp();
      const answer = await ask(setup, '{"name":"cup"}');
      expect(answer.json()).toMatchObject({ data: { made: 1 }, meta: { source: "local" } });
      expect(setup.ran).toEqual([{ name: "cup" }]);
    });

    it.each([
      ["a word as Waybill-Window", "Waybill-Window", "many", "must be a whole number"],
      ["Waybill-Window 0", "Waybill-Window", "0", "window must be a whole number from 1 up"],
      ["a word as Waybill-Deadline", "Waybill-Deadline", "soon", "must be two whole numbers"],
      [
        "an exponent in Waybill-Deadline",
        "Waybill-Deadline",
        "1790000000000 1e9",
        "must be two whole numbers",
      ],
      [
        "Waybill-Version 2",
        "Waybill-Version",
        "2",
        "this worker speaks version 1. Update the worker",
      ],
      ["malformed JSON in Waybill-Trace", "Waybill-Trace", "{", "must be JSON"],
      ["a number in Waybill-Trace", "Waybill-Trace", '{"a":1}', "must be an object of strings"],
      ["a malformed escape in Waybill-Key", "Waybill-Key", "%zz", "is not percent-encoded"],
      ["a Waybill-Key of 20 KB", "Waybill-Key", "k".repeat(20_000), "must be at most"],
    ])(
      "a NATS worker refuses a request whose headers have %s, and runs nothing",
      async (_what, name, value, sentence) => {
        const setup = await setUp();
        const answer = await ask(setup, "{}", makeHeaders({ [name]: value }));
        expect(answer.headers?.get("Nats-Service-Error-Code")).toBe("400");
        expect(answer.json<{ message: string }>().message).toContain(sentence);
        expect(answer.json()).toMatchObject({
          code: "VALIDATION_ERROR",
          details: { outcome: "not_applied" },
        });
        expect(setup.ran).toEqual([]);
      },
    );

    it.each([
      ["text that is not JSON", "{a:1}", "is not JSON"],
      ["bytes that are not text", new Uint8Array([0x22, 0xff, 0x22]), "is not UTF-8"],
      ["a very deep body", `${"[".repeat(60_000)}${"]".repeat(60_000)}`, "nests deeper than 512"],
      ["NaN", "NaN", "is not JSON"],
      ["a duplicate name", '{"name":"cup","name":"pot"}', 'has the name "name" twice'],
    ])(
      "a NATS worker refuses a request with %s, and runs nothing",
      async (_what, body, sentence) => {
        const setup = await setUp();
        const answer = await ask(setup, body);
        expect(answer.json<{ message: string }>().message).toContain(sentence);
        expect(setup.ran).toEqual([]);
      },
    );

    it("a NATS worker does not count brackets in strings as nesting", async () => {
      const setup = await setUp();
      const name = `${"[".repeat(2_000)}"\\`;
      expect((await setup.calls.call("thing.make", { name })).data).toEqual({ made: 1 });
      expect(setup.ran).toEqual([{ name }]);
    });

    it("a NATS worker does not start a request after its deadline", async () => {
      const setup = await setUp();
      const past = `${Date.now() - 10} -10`;
      const answer = await ask(setup, "{}", makeHeaders({ "Waybill-Deadline": past }));
      expect(answer.json()).toMatchObject({ code: "TIMEOUT", details: { outcome: "not_applied" } });
      expect(setup.ran).toEqual([]);
    });

    it("a NATS worker gives a request its remaining time, even if the sender's clock is wrong", async () => {
      const setup = await setUp();
      const ahead = `${Date.now() - 3_600_000} 600000`;
      const answer = await ask(setup, "{}", makeHeaders({ "Waybill-Deadline": ahead }));
      expect(answer.json()).toMatchObject({ data: { made: 1 } });
    });

    it("a NATS worker serves a repeated request once, even after the first has ended", async () => {
      const setup = await setUp();
      const { peer, service, ran } = setup;
      const reply = `_INBOX.${service}`;
      const answers = hear(setup, reply);
      const send = (id: string): void =>
        peer.publish(`${service}.op.thing.make`, "{}", {
          reply,
          headers: makeHeaders({ "Waybill-Request": id }),
        });
      for (const id of ["r1", "r1"]) send(id);
      await expect.poll(() => answers.length).toBe(1);
      for (const id of ["r1", "r2"]) send(id);
      await expect.poll(() => answers.length).toBe(2);
      expect(ran).toHaveLength(2);
    });

    it("a NATS worker answers every request without an id, even if the requests share an inbox", async () => {
      const setup = await setUp();
      const { peer, service } = setup;
      const reply = `_INBOX.${service}`;
      const answers = hear(setup, reply);
      for (let time = 1; time <= 3; time++) {
        peer.publish(`${service}.op.thing.make`, "{}", { reply });
        await expect.poll(() => answers.length).toBe(time);
      }
    });

    it("a NATS worker whose request still runs ignores a request without an id in that request's inbox, and refuses one with an id", async () => {
      const setup = await setUp();
      const { calls, peer, service, ran } = setup;
      const reply = `_INBOX.${service}`;
      const answers = hear(setup, reply);
      const subject = `${service}.op.thing.wait`;
      for (let time = 0; time < 2; time++) peer.publish(subject, "{}", { reply });
      const named = makeHeaders({ "Waybill-Request": "r1" });
      peer.publish(subject, "{}", { reply, headers: named });
      await expect.poll(() => answers.length).toBe(1);
      expect(answers).toMatchObject([
        { code: "VALIDATION_ERROR", details: { outcome: "not_applied" } },
      ]);
      peer.publish(`${service}.control`, JSON.stringify({ inbox: reply, cancel: "enough" }));
      await expect.poll(() => answers.length).toBe(2);
      await calls.call("thing.make");
      expect([ran.length, ...ran.slice(0, 2)]).toEqual([3, "begun", "aborted"]);
    });

    it("a NATS worker does not run a request without an inbox", async () => {
      const setup = await setUp();
      setup.peer.publish(`${setup.service}.op.thing.make`, "{}");
      await setup.calls.call("thing.make");
      expect(setup.ran).toHaveLength(1);
    });

    it("a NATS worker returns OPERATION_NOT_FOUND with the nearest names for an unknown operation", async () => {
      const { calls } = await setUp();
      for (const id of ["thing.mak", "thing.>", "thing.*", "a b", "", "x".repeat(1_000)]) {
        await expect(calls.call(id)).rejects.toMatchObject({ code: "OPERATION_NOT_FOUND" });
      }
      await expect(calls.call("thing.mak")).rejects.toMatchObject({
        details: { did_you_mean: ["thing.make", "thing.wait", "thing.watch"] },
      });
    });

    it("a NATS requester returns VALIDATION_ERROR and sends nothing for input or headers that cannot be encoded", async () => {
      const { calls, ran } = await setUp();
      const loop: Record<string, unknown> = {};
      loop["self"] = loop;
      for (const promise of [
        calls.call("thing.make", loop),
        calls.call("thing.make", { big: 1n }),
        calls.call("thing.make", {}, { idempotencyKey: "\ud800" }),
        calls.call("thing.make", {}, { trace: { long: "x".repeat(20_000) } }),
      ]) {
        await expect(promise).rejects.toMatchObject({
          code: "VALIDATION_ERROR",
          details: { outcome: "not_applied" },
        });
      }
      expect(ran).toEqual([]);
    });
  });

  describe("malformed headers", () => {
    const broken = "NATS/1.0\r\nBad Name\u0001: x\r\n\r\n";

    it("a NATS worker refuses a request with malformed headers and answers the next request", async () => {
      const { service, calls, peer, ran } = await setUp();
      const inbox = `_INBOX.raw.${service}`;
      const answers: Msg[] = [];
      peer.subscribe(inbox, { callback: (_error, message) => void answers.push(message) });
      await peer.flush();
      await publishRaw(server().port, `${service}.op.thing.make`, inbox, broken);
      await publishRaw(server().port, `${service}.control`, inbox, broken);
      await publishRaw(server().port, `${service}.describe`, inbox, broken);
      await expect.poll(() => answers.length).toBeGreaterThan(0);
      expect(answers[0]!.json()).toMatchObject({ code: "VALIDATION_ERROR" });
      expect(ran).toEqual([]);
      expect((await calls.call("thing.make")).data).toEqual({ made: 1 });
    });

    it("a NATS requester treats a response with malformed headers as lost, and can send the next request", async () => {
      const { service, calls, peer } = await setUp();
      peer.subscribe(`${service}.op.odd.answer`, {
        callback: (_error, message) =>
          void publishRaw(server().port, message.reply ?? "", "", broken),
      });
      await peer.flush();
      await expect(calls.call("odd.answer")).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
      expect((await calls.call("thing.make")).data).toEqual({ made: 1 });
    });
  });

  describe("other clients on the same subject", () => {
    it("a NATS client cannot answer or cancel a request that was sent to another worker", async () => {
      const setup = await setUp();
      const { calls, peer, service, ran } = setup;
      const inboxes: string[] = [];
      // A worker sees the inbox of a request, and must not be able to guess the inbox of the
      // next one.
      peer.subscribe(`${service}.op.spy.look`, {
        callback: (_error, message) => {
          inboxes.push(message.reply ?? "");
          message.respond('{"data":1,"meta":{"source":"local","operationId":"a.b","timestamp":0}}');
        },
      });
      await peer.flush();
      await calls.call("spy.look");
      const stop = new AbortController();
      const waiting = calls.call("thing.wait", {}, { signal: stop.signal });
      const ended = waiting.catch((error: unknown) => error);
      await expect.poll(() => ran).toEqual(["begun"]);
      const [seen = ""] = inboxes;
      const forged =
        '{"data":"forged","meta":{"source":"local","operationId":"a.b","timestamp":0}}';
      const prefix = seen.slice(0, seen.lastIndexOf(".") + 1);
      for (const guess of ["1", "2", seen.slice(prefix.length), "*", ">"]) {
        peer.publish(prefix + guess, forged);
        const control = JSON.stringify({ inbox: prefix + guess, cancel: "forged" });
        peer.publish(`${service}.control`, control);
      }
      await peer.flush();
      // When this call ends, the requester and the worker have received the messages of the peer.
      expect((await calls.call("thing.make")).data).toEqual({ made: 2 });
      expect(ran).toEqual(["begun", {}]);
      stop.abort();
      expect(await ended).toMatchObject({ code: "ABORTED" });
      await expect.poll(() => ran).toEqual(["begun", {}, "aborted"]);
    });

    it("a malformed response of a NATS worker leaves the outcome unknown", async () => {
      const { calls, peer, service } = await setUp();
      const answers = ['{"data":1}', "nonsense", '{"data":1,"meta":{"source":"local"}}'];
      peer.subscribe(`${service}.op.odd.answer`, {
        callback: (_error, message) => void message.respond(answers.shift() ?? ""),
      });
      peer.subscribe(`${service}.op.odd.error`, {
        callback: (_error, message) =>
          void message.respond("", {
            headers: makeHeaders({
              "Nats-Service-Error-Code": "500",
              "Nats-Service-Error": "broken",
            }),
          }),
      });
      await peer.flush();
      for (let time = 0; time < 4; time++) {
        await expect(calls.call("odd.answer")).rejects.toMatchObject({
          code: "OUTCOME_UNKNOWN",
          details: { outcome: "unknown" },
        });
      }
      await expect(calls.call("odd.error")).rejects.toMatchObject({
        message: "broken",
        details: { code: "SERVER", outcome: "unknown" },
      });
    });

    it("a NATS worker ignores malformed control and describe messages", async () => {
      const { calls, peer, service } = await setUp();
      for (const body of ["", "[]", "null", "{", '{"inbox":1}', '{"inbox":"x","credit":"y"}']) {
        peer.publish(`${service}.control`, body);
        peer.publish(`${service}.describe`, body);
      }
      await peer.flush();
      expect((await calls.call("thing.make")).data).toEqual({ made: 1 });
    });
  });

  describe("a requester that disappears", () => {
    it("a NATS worker closes the subscription of a requester that has disappeared", async () => {
      const { service, ran, link: keeping } = await setUp({ probeAfterMs: 100 });
      const leaving = await link({ service });
      const values = new PendingRequestMap({ transport: leaving.transport }).subscribe(
        "thing.watch",
        {},
        { window: 1_000 },
      );
      await values.next();
      // Closes the connection without a message, like a process that is killed.
      await leaving.connection.close();
      await expect.poll(() => ran.includes("closed")).toBe(true);
      expect(keeping.connection.isClosed()).toBe(false);
    });
  });
});
