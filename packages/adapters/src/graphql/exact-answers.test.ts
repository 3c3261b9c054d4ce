import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createWaybill } from "@waybill/core";
import type { ResultEnvelope } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpTransport } from "../http/index.ts";
import { graphqlSource } from "./index.ts";

const LARGE = "12345678901234567890";
const SCHEMA = `
  scalar Long
  type Thing { id: Long, list: [Long] }
  type Query { thing(id: Long): Thing }
  type Mutation { fail: Thing }
`;

/** Calls an endpoint that always gives the same answer, and returns the requests that it got. */
async function call(id: string, answer: string, params: object = {}) {
  const sent: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      sent.push(await text(request));
      response.writeHead(200, { "content-type": "application/json" }).end(answer);
    })();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const transport = createHttpTransport();
  onTestFinished(() => transport.close());
  const source = graphqlSource({ name: "api", url, schema: SCHEMA, transport, userAgent: "test" });
  const result: ResultEnvelope = await createWaybill({ sources: [source] }).execute(id, params);
  return { result, sent };
}

describe("exact GraphQL values", () => {
  it("a GraphQL call sends a string of digits for a custom scalar as a string, with a warning", async () => {
    const { result, sent } = await call("api.query.thing", '{"data":{"thing":null}}', {
      id: LARGE,
    });
    expect(sent[0]).toContain(`"${LARGE}"`);
    expect(result.meta.warnings?.join()).toContain("/id is sent as a string of digits");
  });

  it("a GraphQL call returns integers beyond 2^53 as strings of digits, and names their paths", async () => {
    const answer = `{"data":{"thing":{"id":${LARGE},"list":[1,${LARGE}]}}}`;
    const { result } = await call("api.query.thing", answer);
    expect(result.data).toEqual({ id: LARGE, list: [1, LARGE] });
    expect(result.meta.warnings).toEqual([
      "These integers are above 2^53, so they are strings of digits: /id, /list/1",
    ]);
  });

  it("the details of a GraphQL call's error contain the extensions of the GraphQL errors", async () => {
    const extensions = { code: "TITLE_TAKEN", field: "title", id: 7 };
    const error = { message: "Title taken", path: ["fail"], extensions };
    const { result } = await call(
      "api.mutation.fail",
      JSON.stringify({ data: null, errors: [error] }),
    );
    expect(result.error?.details).toMatchObject({ outcome: "unknown", errors: [error] });
  });

  it("the details of a GraphQL call's error leave out GraphQL errors that have only a message", async () => {
    const { result } = await call("api.mutation.fail", '{"data":null,"errors":[{"message":"no"}]}');
    expect(result.error?.details).not.toHaveProperty("errors");
  });

  it("a string of digits beyond 2^53 for a custom GraphQL scalar is not converted to a number", async () => {
    const { sent } = await call("api.query.thing", '{"data":{"thing":null}}', { id: LARGE });
    expect(sent.at(-1)).toContain(`"id":"${LARGE}"`);
  });
});
