import { makeAttempt } from "@waybill/core/testing";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { GraphQLError, buildSchema, graphql } from "graphql";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Attempt } from "@waybill/core";
import type { CardRequest, CardRoute, GraphqlRequest } from "@waybill/core/cards";
import { createHttpTransport } from "../http/index.ts";
import { prepareDocument } from "./documents.ts";
import { graphqlRoute } from "./index.ts";

const TOKEN = "t0k3n-t0k3n-t0k3n";

const schema = buildSchema(`
  type Issue { number: Int!, title: String, secretNote: String, strict: String! }
  type Created { issue: Issue }
  type Query { issue(number: Int!): Issue, required(number: Int!): Issue! }
  type Mutation { create(title: String!): Created, must(title: String!): Created! }
`);

const created: string[] = [];

/** An issue whose note the caller may not read. Issue 404 does not exist. */
function issue({ number }: { number: number }): object {
  if (number === 404) {
    throw new GraphQLError("Could not resolve to an Issue", { extensions: { code: "NOT_FOUND" } });
  }
  return {
    number,
    title: `Issue ${number}`,
    secretNote: () => {
      throw new GraphQLError("Not for you", { extensions: { code: "FORBIDDEN" } });
    },
    strict: () => {
      throw new GraphQLError("Broken inside", { extensions: { code: "INTERNAL" } });
    },
  };
}

function create({ title }: { title: string }): object {
  if (title === "") {
    throw new GraphQLError("Title is empty", { extensions: { code: "UNPROCESSABLE" } });
  }
  if (title === "boom") {
    throw new GraphQLError("Something went wrong", { extensions: { code: "INTERNAL" } });
  }
  created.push(title);
  return { issue: issue({ number: created.length }) };
}

const rootValue = { issue, required: issue, create, must: create };

interface Sent {
  readonly operationName: string;
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

/** Replaces the answer in a test. */
type Instead = (response: ServerResponse, body: Sent) => boolean;
let instead: Instead = () => false;
const received: { headers: IncomingMessage["headers"]; body: Sent }[] = [];

async function read(request: IncomingMessage): Promise<Sent> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Sent;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await read(request);
  received.push({ headers: request.headers, body });
  if (instead(response, body)) return;
  const { query, variables, operationName } = body;
  const result = await graphql({
    schema,
    rootValue,
    source: query,
    variableValues: variables,
    operationName,
  });
  response.setHeader("content-type", "application/json");
  response.setHeader("x-ratelimit-remaining", "4321");
  response.end(JSON.stringify(result));
}

const server = createServer((request, response) => void serve(request, response));
const transport = createHttpTransport();
let route: CardRoute;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/graphql`;
  route = graphqlRoute({ url, token: TOKEN, transport, userAgent: "waybill-test" });
});
afterEach(() => {
  instead = () => false;
  received.length = 0;
  created.length = 0;
});
afterAll(() => {
  transport.close();
  server.closeAllConnections();
  server.close();
});

function asking(source: string, variables: Record<string, unknown>): GraphqlRequest {
  const prepared = prepareDocument(source);
  const { operationName, text: document } = prepared;
  return { kind: "graphql", operationName, document, variables, prepared };
}

const view = (number: number): GraphqlRequest =>
  asking("query View($number: Int!) { issue(number: $number) { number title } }", { number });
const viewNote = (number: number): GraphqlRequest =>
  asking("query Note($number: Int!) { issue(number: $number) { number secretNote } }", { number });
const viewRequired = (number: number): GraphqlRequest =>
  asking("query Must($number: Int!) { required(number: $number) { number } }", { number });
const viewMissing = asking("query Odd($number: Int!) { issue(number: $number) { colour } }", {
  number: 1,
});
const creating = (title: string, field = "number"): GraphqlRequest =>
  asking(`mutation Create($title: String!) { create(title: $title) { issue { ${field} } } }`, {
    title,
  });
const creatingSurely = (title: string): GraphqlRequest =>
  asking("mutation Must($title: String!) { must(title: $title) { issue { number } } }", { title });

/** Gives an answer that does not come from a GraphQL server. */
function answerWith(status: number, body: unknown, headers: Record<string, string> = {}): void {
  instead = (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
    return true;
  };
}

function failing(code: string, outcome: string, message = ""): object {
  return { details: { code, outcome }, message: expect.stringContaining(message) as unknown };
}

describe("graphqlRoute: queries", () => {
  it("a GraphQL query returns its data, and the date and remaining rate limit from the response headers", async () => {
    const { response, ...facts } = await route.send(view(7), makeAttempt());
    expect(response).toMatchObject({
      data: { issue: { number: 7, title: "Issue 7" } },
      meta: { source: "http", statusCode: 200 },
    });
    expect(facts).toMatchObject({ upstreamRequests: 1, rateLimitRemaining: 4321 });
    expect(facts.serverDate).toBeTypeOf("number");
    expect(received[0]!.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      "user-agent": "waybill-test",
    });
    expect(received[0]!.body).toMatchObject({ operationName: "View", variables: { number: 7 } });
  });

  it("a GraphQL query returns the available fields, with a warning for each missing field", async () => {
    const { response } = await route.send(viewNote(7), makeAttempt());
    expect(response.data).toEqual({ issue: { number: 7, secretNote: null } });
    expect(response.meta.warnings).toEqual(["issue.secretNote: Not for you"]);
  });

  it("a GraphQL query that fails returns the code of its GraphQL error", async () => {
    await expect(route.send(view(404), makeAttempt())).rejects.toMatchObject(
      failing("NOT_FOUND", "not_applied", "Could not resolve to an Issue"),
    );
  });

  it("a GraphQL query with a field that the host's schema lacks may be tried on another route", async () => {
    await expect(route.send(viewMissing, makeAttempt())).rejects.toMatchObject(
      failing("ADAPTER_UNSUPPORTED", "not_applied", "Cannot query field"),
    );
  });

  it.each([
    [200, { errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] }],
    [403, { message: "You have exceeded a secondary rate limit" }],
    [429, { message: "Too many requests" }],
  ])(
    "a GraphQL query answered with status %i and a rate limit message reports how long to wait",
    async (status, body) => {
      answerWith(status, body, { "retry-after": "7" });
      await expect(route.send(view(1), makeAttempt())).rejects.toMatchObject({
        details: { code: "RATE_LIMIT", retry_after_ms: 7_000 },
      });
    },
  );

  it("a GraphQL query that gets a 400 for an unknown field may be tried on another route", async () => {
    const errors = [{ message: "x", extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }];
    answerWith(400, { errors });
    await expect(route.send(view(1), makeAttempt())).rejects.toMatchObject({
      details: { code: "ADAPTER_UNSUPPORTED", outcome: "not_applied", status: 400 },
    });
  });

  it("an error of graphqlRoute does not contain a token that the response repeats", async () => {
    answerWith(401, { message: `Bad credentials: ${TOKEN}` });
    const error = await route.send(view(1), makeAttempt()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ details: { code: "AUTH" } });
    expect(String(error)).not.toContain(TOKEN);
  });
});

describe("graphqlRoute: malformed responses", () => {
  it.each<[string, unknown]>([
    ["HTML", "<html>Unicorn!</html>"],
    ["an empty body", ""],
    ["half of a response", '{"data": {"issue"'],
    ["a list", []],
    ["neither data nor errors", { message: "hello" }],
    ["data that is not an object", { data: "yes" }],
    ["no data and no error", { data: null }],
    ["malformed errors", { errors: ["x"] }],
  ])("a GraphQL write answered with %s has an unknown outcome", async (_what, body) => {
    answerWith(200, body);
    await expect(route.send(creating("a"), makeAttempt("write"))).rejects.toMatchObject(
      failing("SERVER", "unknown"),
    );
  });

  it("a GraphQL write whose response was cut has an unknown outcome", async () => {
    instead = (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
      response.write('{"data":{"create":');
      setTimeout(() => response.destroy(), 5);
      return true;
    };
    await expect(route.send(creating("a"), makeAttempt("write"))).rejects.toMatchObject(
      failing("NETWORK", "unknown"),
    );
  });
});

describe("graphqlRoute: mutations", () => {
  it("graphqlRoute calls beforeSend before it sends a mutation", async () => {
    let sentBefore = -1;
    const beforeSend = async (): Promise<void> => void (sentBefore = received.length);
    const { response } = await route.send(creating("a"), makeAttempt("write", { beforeSend }));
    expect([response.data, sentBefore]).toEqual([{ create: { issue: { number: 1 } } }, 0]);
  });

  it.each([
    ["refused by its root field is not applied", creating(""), "VALIDATION", "not_applied"],
    [
      "that failed inside the resolver has an unknown outcome",
      creating("boom"),
      "SERVER",
      "unknown",
    ],
    [
      "that the host's schema does not know is not applied",
      creating("a", "colour"),
      "ADAPTER_UNSUPPORTED",
      "not_applied",
    ],
  ])("a GraphQL mutation %s", async (_what, request, code, outcome) => {
    await expect(route.send(request, makeAttempt("write"))).rejects.toMatchObject(
      failing(code, outcome),
    );
  });

  it("a GraphQL mutation with an error at a nested field is applied, with a warning for the missing field", async () => {
    const { response } = await route.send(creating("a", "number secretNote"), makeAttempt("write"));
    expect(response.data).toEqual({ create: { issue: { number: 1, secretNote: null } } });
    expect(response.meta.warnings).toEqual(["create.issue.secretNote: Not for you"]);
  });

  it("a GraphQL mutation whose result is null because of a nested error is reported as applied", async () => {
    const errors = [{ message: "Broken inside", path: ["create", "issue", "strict"] }];
    answerWith(200, { data: { create: null }, errors });
    await expect(route.send(creating("a"), makeAttempt("write"))).rejects.toMatchObject(
      failing("SERVER", "applied"),
    );
  });
});

const together = (requests: readonly CardRequest[], effect: Attempt["effect"] = "read") =>
  route.sendTogether!(requests, makeAttempt(effect));

describe("graphqlRoute: merged requests", () => {
  it("graphqlRoute sends ten merged queries in one request, and each query gets its own data", async () => {
    const requests = Array.from({ length: 10 }, (_, number) => view(number));
    expect(route.canSendTogether!(requests)).toBe(true);
    const answers = await together(requests);
    expect(received).toHaveLength(1);
    const parts = answers.map((answer) =>
      answer instanceof Error ? answer : answer.response.data,
    );
    expect(parts).toEqual(
      requests.map((_, number) => ({ issue: { number, title: `Issue ${number}` } })),
    );
    const counted = answers.map((answer) =>
      answer instanceof Error ? 9 : answer.upstreamRequests,
    );
    expect(counted).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("one failed query of a merged GraphQL request does not affect the other queries", async () => {
    const [first, second, third] = await together([view(1), view(404), viewNote(3)]);
    expect(first).toMatchObject({ response: { data: { issue: { number: 1 } } } });
    expect(second).toMatchObject(failing("NOT_FOUND", "not_applied"));
    expect(third).toMatchObject({
      response: { meta: { warnings: ["issue.secretNote: Not for you"] } },
    });
  });

  it("all queries of a merged GraphQL request fail if the host's schema lacks a field of one query", async () => {
    await expect(together([view(1), viewMissing])).rejects.toMatchObject(
      failing("ADAPTER_UNSUPPORTED", "not_applied"),
    );
  });

  it("all queries of a merged GraphQL request fail if one error removed all data", async () => {
    await expect(together([view(1), viewRequired(404)])).rejects.toMatchObject({
      details: { code: "NOT_FOUND" },
    });
  });

  it("merged GraphQL writes run in order, and a failed write does not affect the other writes", async () => {
    const answers = await together([creating("a"), creating(""), creating("b")], "write");
    expect(created).toEqual(["a", "b"]);
    expect(answers[1]).toMatchObject(failing("VALIDATION", "not_applied"));
    expect(answers[2]).toMatchObject({ response: { data: { create: { issue: { number: 2 } } } } });
  });

  it("a merged GraphQL write has an unknown outcome if another write's error removed its data", async () => {
    const answers = await together([creatingSurely("a"), creatingSurely("")], "write");
    expect(created).toEqual(["a"]);
    expect(answers).toMatchObject([
      failing("SERVER", "unknown", "The response has no data for this call"),
      failing("VALIDATION", "not_applied"),
    ]);
  });

  it.each([
    ["a rate limit error", { type: "RATE_LIMITED", message: "slow down" }],
    ["another error", { message: "slow down" }],
  ])(
    "merged GraphQL writes that have data are applied, even if the response has %s",
    async (_what, error) => {
      answerWith(200, {
        data: { s0_create: { issue: { number: 1 } }, s1_create: null },
        errors: [error],
      });
      const [first, second] = await together([creating("a"), creating("b")], "write");
      expect(first).toMatchObject({
        response: { data: { create: { issue: { number: 1 } } }, meta: { warnings: ["slow down"] } },
      });
      expect(second).toMatchObject({ details: { outcome: "unknown" } });
    },
  );

  it("graphqlRoute does not merge a read with a write, or a request without a prepared document", () => {
    const { prepared: _prepared, ...bare } = view(1);
    const rest: CardRequest = { kind: "rest", method: "GET", path: "/", query: [], headers: {} };
    expect(route.canSendTogether!([view(1), creating("a")])).toBe(false);
    expect(route.canSendTogether!([view(1), bare])).toBe(false);
    expect(route.canSendTogether!([view(1), rest])).toBe(false);
  });
});

describe("graphqlRoute: described requests", () => {
  it("the description of a GraphQL request has the document and the variables, and no token", () => {
    const shown = route.describe(view(7));
    expect(shown).toMatchObject({
      method: "POST",
      headers: { authorization: "[redacted]" },
      body: { operationName: "View", variables: { number: 7 } },
    });
    expect(JSON.stringify(shown)).not.toContain(TOKEN);
  });

  it("graphqlRoute refuses a request for the command-line route", async () => {
    const command: CardRequest = { kind: "command", argv: [], isJson: true };
    expect(() => route.describe(command)).toThrow("cannot send a command request");
    await expect(route.send(command, makeAttempt())).rejects.toMatchObject(
      failing("ADAPTER_UNSUPPORTED", "not_applied"),
    );
  });
});
