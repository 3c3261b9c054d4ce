import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createWaybill } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { buildSchema, execute, subscribe, validate } from "graphql";
import { useServer } from "graphql-ws/use/ws";
import { WebSocketServer } from "ws";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpTransport } from "../http/index.ts";
import { graphqlSource } from "./index.ts";
import type { GraphqlSourceOptions } from "./index.ts";

const SDL = `
  type Query { size: Int! }
  type Subscription { ticks(to: Int!): Tick!, endless: Tick! }
  type Tick { number: Int!, token: String }
`;
const schema = buildSchema(SDL);
const fields = schema.getSubscriptionType()!.getFields();
const TOKEN = "secret-token-1234";

interface Seen {
  readonly headers: (string | undefined)[];
  readonly params: unknown[];
  /** Resolves when the server has ended the endless subscription. */
  readonly ended: Promise<unknown>;
}

async function* ticks(to: number) {
  for (let number = 1; number <= to; number++) yield { ticks: { number, token: TOKEN } };
}

interface Behaviour {
  /** The response to a request for a subscription over HTTP. */
  readonly status: number;
  readonly body: string;
  readonly path: string;
  readonly isAllowed: boolean;
}

const HASURA = {
  status: 200,
  body: JSON.stringify({ errors: [{ message: "subscriptions are not supported over HTTP" }] }),
};

/** An endpoint with the subscriptions of graphql-ws, which refuses them over HTTP. */
async function endpoint(
  behaviour: Partial<Behaviour> = {},
  more: Partial<GraphqlSourceOptions> = {},
) {
  const { status, body, path, isAllowed } = { ...HASURA, path: "/", isAllowed: true, ...behaviour };
  const ends = new EventEmitter();
  const ended = once(ends, "end");
  const seen: Seen = { headers: [], params: [], ended };
  const http = createServer((_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body);
  });
  const sockets = new WebSocketServer({ server: http, path });
  fields["ticks"]!.subscribe = (_root, { to }: { to: number }) => ticks(to);
  fields["endless"]!.subscribe = async function* () {
    try {
      for (let number = 0; ; number++) {
        yield { endless: { number } };
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    } finally {
      ends.emit("end", "by the caller");
    }
  };
  const served = useServer(
    {
      schema,
      execute,
      subscribe,
      validate,
      onConnect: ({ connectionParams, extra }) => {
        seen.headers.push(extra.request.headers.authorization);
        seen.params.push(connectionParams);
        return isAllowed;
      },
    },
    sockets,
  );
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const transport = createHttpTransport();
  onTestFinished(async () => {
    transport.close();
    await served.dispose();
    http.closeAllConnections();
    http.close();
  });
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  const options = { name: "clock", url: `http://${host}/`, schema: SDL, transport, userAgent: "t" };
  const source = graphqlSource({ ...options, ...more });
  return { waybill: createWaybill({ sources: [source] }), seen, host, options };
}

async function collect(waybill: Waybill, id: string, input: object): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const { data } of waybill.subscribe(id, input)) values.push(data);
  return values;
}

describe("GraphQL subscriptions over WebSocket", () => {
  it("an integer beyond 2^53 in a GraphQL subscription's value becomes a string of digits, with a warning", async () => {
    const http = createServer((_request, response) => response.writeHead(405).end());
    const sockets = new WebSocketServer({
      server: http,
      handleProtocols: () => "graphql-transport-ws",
    });
    sockets.on("connection", (socket) =>
      socket.on("message", (message) => {
        const { id, type } = JSON.parse((message as Buffer).toString()) as {
          id?: string;
          type: string;
        };
        if (type === "connection_init") return socket.send('{"type":"connection_ack"}');
        const payload = '{"data":{"ticks":{"number":12345678901234567890}}}';
        return socket.send(`{"id":"${id}","type":"next","payload":${payload}}`);
      }),
    );
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const transport = createHttpTransport();
    onTestFinished(() => {
      transport.close();
      for (const socket of sockets.clients) socket.terminate();
      http.close();
    });
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
    const source = graphqlSource({ name: "clock", url, schema: SDL, transport, userAgent: "t" });
    const values = createWaybill({ sources: [source] }).subscribe("clock.subscription.ticks", {
      to: 1,
    });
    const { value } = await values.next();
    await values.return?.();
    expect(value?.data).toMatchObject({ number: "12345678901234567890" });
    expect(value?.meta.warnings?.join()).toContain("above 2^53, so they are strings of digits");
  });

  it.each([
    HASURA,
    { status: 405, body: "" },
    { status: 400, body: '{"errors":[{"message":"Use WebSocket"}]}' },
  ])(
    "GraphQL subscriptions use a WebSocket if the endpoint refuses server-sent events with status $status",
    async (refusal) => {
      const { waybill } = await endpoint(refusal);
      const values = await collect(waybill, "clock.subscription.ticks", { to: 250 });
      expect(values.map((value) => (value as { number: number }).number)).toEqual(
        Array.from({ length: 250 }, (_, index) => index + 1),
      );
    },
  );

  it("GraphQL subscriptions send the token in the WebSocket handshake and in the first message, and remove it from results", async () => {
    const { waybill, seen } = await endpoint({}, { token: () => TOKEN });
    const values = await collect(waybill, "clock.subscription.ticks", { to: 1 });
    expect(seen.headers).toEqual([`Bearer ${TOKEN}`]);
    expect(seen.params).toEqual([{ Authorization: `Bearer ${TOKEN}` }]);
    expect(values).toEqual([{ number: 1, token: "[redacted]" }]);
  });

  it("GraphQL subscriptions connect to the address in subscriptionsUrl", async () => {
    const { host, options } = await endpoint({ path: "/live" });
    const subscriptionsUrl = `ws://${host}/live`;
    const waybill = createWaybill({ sources: [graphqlSource({ ...options, subscriptionsUrl })] });
    expect(await collect(waybill, "clock.subscription.ticks", { to: 2 })).toHaveLength(2);
  });

  it("GraphQL subscriptions end at the server when the caller stops reading", async () => {
    const { waybill, seen } = await endpoint();
    for await (const { data } of waybill.subscribe("clock.subscription.endless", {})) {
      if ((data as { number: number }).number === 3) break;
    }
    expect(await seen.ended).toEqual(["by the caller"]);
  });

  it("GraphQL subscriptions report the endpoint's refusal over HTTP if no WebSocket opens", async () => {
    const { waybill } = await endpoint({ path: "/elsewhere" });
    await expect(collect(waybill, "clock.subscription.ticks", { to: 1 })).rejects.toMatchObject({
      message: expect.stringContaining("not supported over HTTP") as string,
      details: { hint: expect.stringContaining("--subscriptions-url") as string },
    });
  });

  it("GraphQL subscriptions fail with the errors that the server finds in their document", async () => {
    const { waybill } = await endpoint();
    const document = "subscription { unknown }";
    await expect(collect(waybill, "clock.graphql.subscribe", { document })).rejects.toMatchObject({
      message: expect.stringContaining("unknown") as string,
    });
  });

  it("GraphQL subscriptions fail with AUTH if the server forbids the connection", async () => {
    const { waybill } = await endpoint({ isAllowed: false });
    await expect(collect(waybill, "clock.subscription.ticks", { to: 1 })).rejects.toMatchObject({
      details: { code: "AUTH" },
      message: expect.stringContaining("4403") as string,
    });
  });

  it("GraphQL subscriptions do not connect to a private address that the source may not reach", async () => {
    const { host, options } = await endpoint();
    const subscriptionsUrl = `ws://${host}/`;
    const guarded = graphqlSource({ ...options, subscriptionsUrl, allowPrivate: false });
    const waybill = createWaybill({ sources: [guarded] });
    await expect(collect(waybill, "clock.subscription.ticks", { to: 1 })).rejects.toMatchObject({
      details: { code: "POLICY" },
    });
  });

  it("GraphQL subscriptions end at the deadline", async () => {
    const { waybill } = await endpoint();
    const options = { deadline: Date.now() + 1_500 };
    const read = async (): Promise<void> => {
      for await (const _ of waybill.subscribe("clock.subscription.endless", {}, options));
    };
    await expect(read()).rejects.toThrow("The deadline passed");
  });
});
