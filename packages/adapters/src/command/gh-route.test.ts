import { makeAttempt } from "@waybill/core/testing";
import { afterEach, expect, it } from "vitest";
import type { CardRequest, GraphqlRequest, RestRequest } from "@waybill/core/cards";
import { describeWithProgram } from "../../../../test/support/programs.ts";
import { startUpstream } from "./fixtures/upstream.mjs";
import type { Answer } from "./fixtures/upstream.mjs";
import { ghRoute } from "./index.ts";
import type { GhRouteOptions } from "./index.ts";

const TOKEN = "ghp_secretsecretsecretsecret";
const env = { PATH: process.env["PATH"] ?? "", GH_REPO: "else/where", GH_TOKEN: "another" };

let close = (): void => undefined;
afterEach(() => close());

function rest(method: string, path: string, more: Partial<RestRequest> = {}): RestRequest {
  return { kind: "rest", method, path, query: [], headers: {}, ...more };
}

const ISSUE: GraphqlRequest = {
  kind: "graphql",
  operationName: "Issue",
  document: "query Issue($n: Int!) { issue(number: $n) { title } }",
  variables: { n: 1 },
};
const POST = rest("POST", "/repos/o/r/issues", { body: { title: "t" } });

function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

const moved: Answer = (response, request) => {
  if (request.url === "/moved") json(200, { number: 1 })(response, request);
  else response.writeHead(301, { location: "https://api.github.com/moved" }).end();
};

/** Answers that the resource has moved, and asks for the same request at the new address. */
function movedAlong(status: number, location = "https://api.github.com/new?per_page=1"): Answer {
  return (response, request) => {
    if (request.url.startsWith("/new")) json(201, { number: 1 })(response, request);
    else response.writeHead(status, { location }).end();
  };
}

const cut: Answer = (response) => {
  response.writeHead(201, { "content-type": "application/json", "content-length": "99" });
  response.write('{"number":', () => response.destroy());
};

const reset: Answer = (response) => void response.destroy();

async function connect(answer: Answer, options: Partial<GhRouteOptions> = {}) {
  const upstream = await startUpstream(answer);
  close = upstream.close;
  const route = ghRoute({ env, token: TOKEN, socketConfigDir: upstream.configDir, ...options });
  return { route, seen: upstream.seen };
}

async function expectFailure(
  answer: Answer,
  request: CardRequest,
  expected: { code: string; outcome: string; [detail: string]: unknown },
): Promise<void> {
  const { route } = await connect(answer);
  const details: unknown = expect.objectContaining(expected);
  await expect(route.send(request, makeAttempt("write"))).rejects.toThrow(
    expect.objectContaining({ details }),
  );
}

describeWithProgram("gh", () => {
  it("ghRoute sends a REST request and reads status, headers and body", async () => {
    const headers = {
      "X-RateLimit-Remaining": "41",
      Link: '<https://api.github.com/x?per_page=1&page=3>; rel="next", <https://x?page=1>; rel="first"',
    };
    const { route, seen } = await connect(json(200, [{ number: 7 }], headers));
    const request = rest("GET", "/repos/o/r/issues", {
      query: [["q", "is:open {owner}"]],
      headers: { accept: "application/vnd.github+json" },
    });
    const answer = await route.send(request, makeAttempt());
    expect(answer).toMatchObject({
      response: { data: [{ number: 7 }], meta: { source: "cli", exitCode: 0 } },
      upstreamRequests: 1,
      rateLimitRemaining: 41,
      nextCursor: "3",
    });
    expect(answer.serverDate).toBeGreaterThan(0);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      method: "GET",
      url: "/repos/o/r/issues?q=is%3Aopen+%7Bowner%7D",
      headers: { authorization: `token ${TOKEN}`, accept: "application/vnd.github+json" },
    });
  });

  it("ghRoute returns the next cursor null for the last page of a list, and no next cursor for an object", async () => {
    const { route } = await connect((response, seen) =>
      json(200, seen.url === "/a" ? [] : {})(response, seen),
    );
    expect((await route.send(rest("GET", "/a"), makeAttempt())).nextCursor).toBeNull();
    expect(await route.send(rest("GET", "/b"), makeAttempt())).not.toHaveProperty("nextCursor");
  });

  it("ghRoute percent-encodes placeholders in a path, and refuses a path that is a URL", async () => {
    const { route, seen } = await connect(json(200, {}));
    await route.send(
      rest("GET", "/repos/:owner/{repo}/contents/https://evil.example"),
      makeAttempt(),
    );
    expect(seen[0]?.url).toBe("/repos/%3Aowner/%7Brepo%7D/contents/https%3A//evil.example");
    const outside = route.send(rest("GET", "https://evil.example/"), makeAttempt());
    await expect(outside).rejects.toThrow("not URL-encoded");
  });

  it("ghRoute passes a request body to gh by standard input, and first calls beforeSend", async () => {
    const { route, seen } = await connect(json(201, { number: 8 }));
    const asked: number[] = [];
    const beforeSend = async (): Promise<void> => void asked.push(seen.length);
    const request = rest("POST", "/repos/o/r/issues", { body: { title: "--web", body: "🎉\0" } });
    const { response } = await route.send(request, makeAttempt("write", { beforeSend }));
    expect(asked).toEqual([0]);
    expect(seen.map(({ body }) => JSON.parse(body) as unknown)).toEqual([request.body]);
    expect(response).toMatchObject({
      data: { number: 8 },
      meta: {
        command: ["gh", "api", "--include", "--method=POST", "--input=-", "--", request.path],
      },
    });
  });

  it("ghRoute sends nothing if beforeSend throws or the call was aborted", async () => {
    const { route, seen } = await connect(json(201, {}));
    const refused = makeAttempt("write", {
      beforeSend: () => Promise.reject(new Error("lease lost")),
    });
    await expect(route.send(POST, refused)).rejects.toThrow("lease lost");
    const aborted = makeAttempt("write", { signal: AbortSignal.abort() });
    const details: unknown = expect.objectContaining({ outcome: "not_applied" });
    await expect(route.send(POST, aborted)).rejects.toThrow(
      expect.objectContaining({ code: "ABORTED", details }),
    );
    expect(seen).toEqual([]);
  });

  it("ghRoute returns null for an empty response", async () => {
    const { route } = await connect((response) => response.writeHead(204).end());
    const answer = await route.send(
      rest("DELETE", "/repos/o/r/labels/x"),
      makeAttempt("destructive"),
    );
    expect(answer.response.data).toBeNull();
  });

  it("ghRoute returns a text response whole if it is short, or else only its first part with a warning", async () => {
    const diff = `${"é".repeat(30_000)}\n`;
    const text: Answer = (response) => {
      response.writeHead(200, { "content-type": "application/vnd.github.diff" }).end(diff);
    };
    const request = rest("GET", "/repos/o/r/pulls/1");
    const whole = await connect(text);
    expect((await whole.route.send(request, makeAttempt())).response.data).toBe(diff);
    close();
    const sizes: number[] = [];
    const page = await connect(text, {
      maxOutputBytes: 10_001,
      keepRest: async (kept) => {
        sizes.push(kept.size);
        await kept.close();
      },
    });
    const { response } = await page.route.send(request, makeAttempt());
    expect(diff.startsWith(String(response.data))).toBe(true);
    expect(response.meta.warnings).toEqual([
      `The data has only the first 10001 of ${sizes[0]} bytes`,
    ]);
  });

  it("ghRoute sends a GraphQL document with its variables", async () => {
    const { route, seen } = await connect(json(200, { data: { issue: { title: "T" } } }));
    const { response } = await route.send(ISSUE, makeAttempt());
    expect(response.data).toEqual({ issue: { title: "T" } });
    expect(seen[0]).toMatchObject({ method: "POST", url: "/graphql" });
    const { document: query, variables, operationName } = ISSUE;
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual({ query, variables, operationName });
  });

  it("ghRoute returns the data of a GraphQL response that has data and errors", async () => {
    const errors = [
      { type: "NOT_FOUND", path: ["issue"], message: "No issue" },
      { type: "RATE_LIMITED", message: `slow down, ${TOKEN}` },
    ];
    const data = { issue: null, viewer: { login: "me" } };
    const { route } = await connect(json(200, { data, errors }));
    const { response, fieldErrors } = await route.send(ISSUE, makeAttempt("write"));
    expect(response.data).toEqual(data);
    expect(response.meta.warnings).toEqual(["issue: No issue", "slow down, [redacted]"]);
    expect(fieldErrors).toMatchObject([
      { path: ["issue"], error: { details: { code: "NOT_FOUND", outcome: "not_applied" } } },
    ]);
  });

  it.each([
    ["an error of the root field", { data: { issue: null } }, ["issue"], "not_applied"],
    ["an error without a path", { data: { issue: null } }, undefined, "unknown"],
    ["a rejected document", {}, undefined, "not_applied"],
  ])(
    "ghRoute reports the outcome $3 for a write whose GraphQL response has %s",
    async (_what, body, path, outcome) => {
      const error = { type: "RATE_LIMITED", message: "wait", path };
      const answer = json(200, { ...body, errors: [error] });
      await expectFailure(answer, ISSUE, { code: "RATE_LIMIT", outcome });
    },
  );

  it("ghRoute reads the errors of a GraphQL response with status 400", async () => {
    const errors = [{ message: "x", extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }];
    const expected = { code: "ADAPTER_UNSUPPORTED", outcome: "not_applied", status: 400 };
    await expectFailure(json(400, { errors }), ISSUE, expected);
  });

  it("ghRoute uses the API paths and the token variable of GitHub Enterprise for an enterprise host", async () => {
    const { route, seen } = await connect(json(200, { data: {} }), { host: "ghe.example" });
    await route.send(rest("GET", "/user"), makeAttempt());
    await route.send(ISSUE, makeAttempt());
    expect(seen.map(({ url }) => url)).toEqual(["/api/v3/user", "/api/graphql"]);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(
      Array.from({ length: 2 }, () => `token ${TOKEN}`),
    );
  });

  it("ghRoute runs a gh subcommand and returns its JSON output", async () => {
    const issue = { number: 1, title: "T", id: "I_1" };
    const { route, seen } = await connect(
      json(200, { data: { repository: { hasIssuesEnabled: true, issue } } }),
    );
    const argv = ["issue", "view", "--repo=o/r", "--json=number,title", "--", "1"];
    const { response } = await route.send({ kind: "command", argv, isJson: true }, makeAttempt());
    expect(response.data).toEqual({ number: 1, title: "T" });
    expect(seen).toHaveLength(1);
  });

  it.each([
    [401, {}, "AUTH", "not_applied"],
    [404, {}, "NOT_FOUND", "not_applied"],
    [422, {}, "VALIDATION", "not_applied"],
    [409, {}, "CONFLICT", "not_applied"],
    [307, { location: "/elsewhere" }, "SERVER", "not_applied"],
    [500, {}, "SERVER", "unknown"],
  ])(
    "ghRoute maps the HTTP status %i of a write to the code $2 and the outcome $3",
    async (status, headers, code, outcome) => {
      const answer = json(status, { message: "No" }, headers);
      await expectFailure(answer, POST, { code, outcome, status });
    },
  );

  it("ghRoute reports how long to wait from a Retry-After header", async () => {
    const answer = json(403, { message: "slow down" }, { "Retry-After": "7" });
    await expectFailure(answer, POST, {
      code: "RATE_LIMIT",
      outcome: "not_applied",
      retry_after_ms: 7_000,
    });
  });

  it("ghRoute does not return the page behind a redirect as the result of a write", async () => {
    await expectFailure(moved, POST, { code: "ADAPTER_UNSUPPORTED", outcome: "not_applied" });
    close();
    const bare = rest("PUT", "/user/starred/o/r");
    await expectFailure(moved, bare, { code: "ADAPTER_UNSUPPORTED", outcome: "unknown" });
  });

  it.each([
    ["POST", 307, POST],
    ["POST", 308, POST],
    ["DELETE", 307, rest("DELETE", "/repos/o/r")],
    ["PUT", 308, rest("PUT", "/user/starred/o/r")],
  ])(
    "ghRoute repeats a %s at the new address after a redirect with status %i",
    async (_method, status, request) => {
      const { route, seen } = await connect(movedAlong(status));
      const answer = await route.send(request, makeAttempt("write"));
      expect(answer).toMatchObject({ response: { data: { number: 1 } }, upstreamRequests: 2 });
      expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
        [request.method, request.path, seen[0]?.body],
        [request.method, "/new?per_page=1", seen[0]?.body],
      ]);
    },
  );

  it.each(["https://evil.example/new", "nowhere://", "https://api.github.com.evil.example/new"])(
    "ghRoute does not follow a redirect of a write to %s",
    async (location) => {
      const { route, seen } = await connect(movedAlong(307, location));
      const sent = route.send(POST, makeAttempt("write"));
      await expect(sent).rejects.toMatchObject({ details: { outcome: "not_applied" } });
      expect(seen).toHaveLength(1);
    },
  );

  it("ghRoute fails a write that is redirected more than five times", async () => {
    const { route, seen } = await connect(movedAlong(307, "https://api.github.com/again"));
    const sent = route.send(POST, makeAttempt("write"));
    await expect(sent).rejects.toMatchObject({ details: { outcome: "not_applied" } });
    expect(seen).toHaveLength(6);
  });

  it("ghRoute reports a REST write as applied if its successful response was cut", async () => {
    await expectFailure(cut, POST, { code: "NETWORK", outcome: "applied" });
    close();
    await expectFailure(cut, ISSUE, { code: "NETWORK", outcome: "unknown" });
    close();
    await expectFailure(json(201, '{"number":'), POST, { code: "SERVER", outcome: "applied" });
    close();
    const page = json(200, "<html>", { "content-type": "text/html" });
    await expectFailure(page, POST, { code: "SERVER", outcome: "unknown" });
    close();
    await expectFailure(page, ISSUE, { code: "SERVER", outcome: "unknown" });
  });

  it("ghRoute reports an unknown outcome for a write that gets no response", async () => {
    await expectFailure(reset, POST, { code: "NETWORK", outcome: "unknown" });
  });

  it("ghRoute ends the gh process when the call is aborted", async () => {
    const { route, seen } = await connect(() => controller.abort());
    const controller = new AbortController();
    const details: unknown = expect.objectContaining({ outcome: "unknown" });
    const sent = route.send(POST, makeAttempt("write", { signal: controller.signal }));
    await expect(sent).rejects.toThrow(expect.objectContaining({ code: "ABORTED", details }));
    expect(seen).toHaveLength(1);
  });
});
