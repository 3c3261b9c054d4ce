import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createWaybill } from "@waybill/core";
import { cardOperation, prepareCard } from "@waybill/core/cards";
import type { Card, Waybill } from "@waybill/core";
import { createHttpTransport, restRoute } from "../http/index.ts";
import { prepareDocument } from "./documents.ts";
import { graphqlRoute } from "./index.ts";

const documents = {
  View: prepareDocument(
    "query View($number: Int!) { repository { issue(number: $number) { id title note } } }",
  ),
  Create: prepareDocument(
    "mutation Create($title: String!) { create(title: $title) { issue { id } } }",
  ),
};

const text = { type: "string" } as const;
const shared = {
  version: "1.0.0",
  routing: { preferred: "graphql", fallbacks: ["rest"] },
} as const;
const view: Card = {
  ...shared,
  capability_id: "issue.view",
  description: "Show an issue",
  effect: "read",
  input_schema: { type: "object", properties: { number: { type: "integer" } } },
  output_schema: {
    type: "object",
    required: ["id", "title"],
    properties: { id: text, title: text, note: { type: ["string", "null"] } },
  },
  graphql: {
    operationName: "View",
    documentPath: "View",
    output: { from: "repository.issue", fields: { id: "id", title: "title", note: "note" } },
  },
  rest: { method: "GET", path: "/issues/{number}", output: { id: "id", title: "title" } },
};
const create: Card = {
  ...shared,
  capability_id: "issue.create",
  description: "Open an issue",
  effect: "write",
  input_schema: { type: "object", properties: { title: text } },
  output_schema: { type: "object", required: ["id"], properties: { id: text } },
  graphql: {
    operationName: "Create",
    documentPath: "Create",
    output: { from: "create.issue", fields: { id: "id" } },
  },
  rest: {
    method: "POST",
    path: "/issues",
    body: { title: "title" },
    output: { id: "join('', ids)" },
  },
};

type Answer = { status?: number; type?: string; body: unknown };
let answers: (url: string, query: string) => Answer = () => ({ body: {} });
const asked: string[] = [];
const server = createServer((request, response) => {
  let sent = "";
  request.on("data", (chunk: Buffer) => (sent += chunk.toString()));
  request.on("end", () => {
    const url = request.url ?? "";
    asked.push(url);
    const query = url === "/graphql" ? (JSON.parse(sent) as { query: string }).query : "";
    const { status = 200, type = "application/json", body } = answers(url, query);
    response.writeHead(status, { "content-type": type });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
});
const transport = createHttpTransport();
let waybill: Waybill;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = { transport, userAgent: "waybill-test" };
  const routes = [
    graphqlRoute({ url: `${url}/graphql`, ...options }),
    restRoute({ baseUrl: url, ...options }),
  ];
  const cards = await Promise.all([view, create].map((card) => prepareCard(card, documents)));
  const operations = cards.map((card) => cardOperation(card, { routes, host: "upstream" }));
  waybill = createWaybill({ operations, retry: { baseDelayMs: 1 } });
});
afterEach(() => void (asked.length = 0));
afterAll(async () => {
  await waybill.close();
  transport.close();
  server.closeAllConnections();
  server.close();
});

const limited = { type: "RATE_LIMITED", message: "slow down" };

describe("merged writes with a rate limit error", () => {
  it("merged GraphQL writes with data and a rate limit error are applied once, each with its own data", async () => {
    answers = (_url, query) => {
      const names = [...query.matchAll(/(\w+):create\b/gu)].map(([, name = ""]) => name);
      const data = Object.fromEntries(names.map((name) => [name, { issue: { id: name } }]));
      return { body: { data, errors: [limited] } };
    };
    const steps = ["a", "b"].map((title) => ({ task: "issue.create", input: { title } }));
    const { results } = await waybill.chain(steps, { merge_writes: true });
    expect(asked).toEqual(["/graphql"]);
    expect(results.map(({ data }) => data)).toEqual([{ id: "s0_create" }, { id: "s1_create" }]);
    expect(results[1]!.meta.warnings).toEqual(["slow down"]);
  });
});

describe("a GraphQL error below the root", () => {
  const errors = [{ type: "NOT_FOUND", path: ["repository", "issue"], message: "No such issue" }];

  it("a GraphQL call fails if the object that its card maps is null", async () => {
    answers = () => ({ body: { data: { repository: { issue: null } }, errors } });
    const { ok, error } = await waybill.execute("issue.view", { number: 9 });
    expect([ok, error?.code, asked]).toEqual([false, "NOT_FOUND", ["/graphql"]]);
  });

  it("a GraphQL call fails if an error below the root concerns a field that the output requires", async () => {
    const path = ["repository", "issue", "title"];
    const data = { repository: { issue: { id: "1", title: null, note: null } } };
    answers = () => ({ body: { data, errors: [{ type: "UNPROCESSABLE", path, message: "No" }] } });
    const { error } = await waybill.execute("issue.view", { number: 9 });
    expect(error?.code).toBe("VALIDATION");
  });

  it("a GraphQL error at an optional field becomes a warning", async () => {
    const path = ["repository", "issue", "note"];
    const data = { repository: { issue: { id: "1", title: "T", note: null } } };
    answers = () => ({ body: { data, errors: [{ type: "FORBIDDEN", path, message: "No" }] } });
    const { data: shown, meta } = await waybill.execute("issue.view", { number: 9 });
    expect(shown).toEqual({ id: "1", title: "T", note: null });
    expect(meta.warnings).toEqual(["repository.issue.note: No"]);
  });

  it("a GraphQL write is reported as applied if an error below the root field removes its result", async () => {
    const lost = [{ type: "SERVICE", path: ["create", "issue"], message: "lost" }];
    const data = { create: { issue: null } };
    answers = () => ({ body: { data, errors: lost } });
    const { error } = await waybill.execute("issue.create", { title: "a" });
    expect(error).toMatchObject({
      code: "SERVER",
      retryable: false,
      details: { outcome: "applied", partial: data },
    });
    expect(asked).toEqual(["/graphql"]);
  });
});

describe("a write with an unusual response", () => {
  const title = { title: "a" };

  it("a GraphQL write is reported as applied even if its response cannot be mapped", async () => {
    answers = () => ({ status: 201, body: { ids: 5 } });
    const { error } = await waybill.execute("issue.create", title, { route: "rest" });
    expect(error).toMatchObject({
      code: "SERVER",
      retryable: false,
      details: { outcome: "applied", partial: { ids: 5 } },
    });
  });

  it.each([
    ["a web page", "text/html; charset=utf-8", "unknown"],
    ["malformed JSON", "application/json", "applied"],
  ])("a GraphQL write answered with %s (%s) has the outcome %s", async (_what, type, outcome) => {
    answers = () => ({ type, body: "<html>Sign in</html>" });
    const { error } = await waybill.execute("issue.create", title, { route: "rest" });
    expect(error).toMatchObject({ code: "SERVER", retryable: false, details: { outcome } });
    expect(asked).toEqual(["/issues"]);
  });
});

it("a call uses the next route if the GraphQL host refuses the document with a 400", async () => {
  const errors = [{ message: "x", extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }];
  const issue = { id: "1", title: "T" };
  answers = (url) => (url === "/graphql" ? { status: 400, body: { errors } } : { body: issue });
  const { data, meta } = await waybill.execute("issue.view", { number: 1 });
  expect([data, meta.route_used]).toEqual([issue, "rest"]);
});
