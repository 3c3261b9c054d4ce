import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { describing, waybillOf } from "./fixtures/describe-api.ts";
import { answering, serve } from "./fixtures/echo-server.ts";
import { EventParser } from "../http/index.ts";

const EVENTS = { 200: { content: { "text/event-stream": {} } } };

function parse(pieces: readonly Uint8Array[]) {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

describe("EventParser", () => {
  const text =
    '\uFEFF: hello\nevent: tick\ndata: {"n":1}\nid: 7\n\ndata:a\r\ndata: b\r\n\r\ndata\r\rdata: é日\n\nevent: x\n\ndata: lost';
  const whole = [
    { event: "tick", data: '{"n":1}', id: "7" },
    { event: "message", data: "a\nb", id: "7" },
    { event: "message", data: "", id: "7" },
    { event: "message", data: "é日", id: "7" },
  ];
  const bytes = Buffer.from(text);

  it("EventParser reads a whole stream of events", () => {
    expect(parse([bytes])).toEqual(whole);
  });

  it("EventParser returns the same events wherever the stream is cut", () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(parse([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
    }
    expect(parse(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  it("EventParser refuses an event over 8,000,000 characters", () => {
    const parser = new EventParser();
    expect(parser.push(Buffer.from(`data: ${"x".repeat(7_999_994)}`))).toEqual([]);
    expect(() => parser.push(Buffer.from("x"))).toThrow("more than 8000000 characters");
  });
});

async function first(server: string) {
  const waybill = waybillOf(describing({ responses: EVENTS }), { server });
  return waybill.subscribe("api.op").next();
}

describe("operations that return an event stream", () => {
  it("an OpenAPI operation that returns an event stream is a subscription", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      response.write('data: {"n":1}\n');
      setTimeout(() => response.end("\nevent: end\ndata: bye\n\n"), 20);
    });
    const waybill = waybillOf(describing({ responses: EVENTS }), { server });
    const values = [];
    for await (const { data } of waybill.subscribe("api.op")) values.push(data);
    expect(values).toEqual([
      { event: "message", data: { n: 1 } },
      { event: "end", data: "bye" },
    ]);
    const { error } = await waybill.execute("api.op");
    expect(error).toMatchObject({ code: "ADAPTER_UNSUPPORTED" });
  });

  it("an integer beyond 2^53 in a server-sent event is returned as a string of digits, with a warning", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('data: {"id":12345678901234567890}\n\n');
    });
    const { value } = await first(server);
    expect(value?.data).toEqual({ event: "message", data: { id: "12345678901234567890" } });
    expect(value?.meta.warnings).toEqual([
      "These integers are above 2^53, so they are strings of digits: /data/id",
    ]);
  });

  it("the connection of an event stream is closed when the consumer stops reading", async () => {
    const closed: Promise<unknown>[] = [];
    const server = await serve((request, response) => {
      closed.push(once(request.socket, "close"));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
    });
    const waybill = waybillOf(describing({ responses: EVENTS }), { server });
    for await (const { data } of waybill.subscribe("api.op")) {
      expect(data).toEqual({ event: "message", data: 1 });
      break;
    }
    expect(closed).toHaveLength(1);
    await closed[0];
  });

  it("a subscription fails if the API's response is not an event stream", async () => {
    const page = await serve(answering("<html>", { "content-type": "text/html" }));
    const refused = await serve(answering("{}", undefined, 404));
    await expect(first(page)).rejects.toMatchObject({ details: { code: "SERVER" } });
    await expect(first(refused)).rejects.toMatchObject({ details: { code: "NOT_FOUND" } });
  });
});
