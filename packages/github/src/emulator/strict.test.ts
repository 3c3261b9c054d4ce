import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { githubDescription } from "./fixtures/described.ts";
import type { Json } from "./fixtures/described.ts";
import { startClient } from "./fixtures/client.ts";
import type { Client, Sent } from "./fixtures/client.ts";
import { SERVED } from "./rest/match-route.ts";

const REPO = "/repos/octo/hello";
const PULL = `${REPO}/pulls/6`;
const OWN_PULL = `${REPO}/pulls/9`;

/** A request, its body, and GitHub's answer to it. */
type BadInput = readonly [line: string, body: unknown, status: number, message: string];

const nil = (name: string, kind: string): string => `For 'properties/${name}', nil is not ${kind}.`;
const not = (name: string, value: string, kind: string): string =>
  `For 'properties/${name}', ${value} is not ${kind}.`;
const missing = (name: string): string => `"${name}" wasn't supplied.`;

const MANY_TOPICS = Array.from({ length: 21 }, (_, index) => `topic-${index}`);

const BAD_BODIES: readonly BadInput[] = [
  [
    `PUT ${REPO}/contents/n.txt`,
    { message: "m", content: "aGk=", sha: null },
    422,
    nil("sha", "a string"),
  ],
  [`PUT ${REPO}/contents/n.txt`, { content: "aGk=" }, 422, missing("message")],
  [`PUT ${REPO}/contents/n.txt`, { message: "m" }, 422, missing("content")],
  [
    `PUT ${REPO}/contents/n.txt`,
    { message: "m", content: "no base64!" },
    422,
    "content is not valid Base64",
  ],
  [
    `PUT ${REPO}/contents/n.txt`,
    { message: "m", content: "aGk=", branch: 7 },
    422,
    not("branch", "7", "a string"),
  ],
  [`PUT ${REPO}/contents/n.txt`, undefined, 422, "For 'links/0/schema', nil is not an object."],
  [`PUT ${REPO}/contents/README.md`, { message: "m", content: "aGk=" }, 422, missing("sha")],
  [`DELETE ${REPO}/contents/README.md`, { message: "m" }, 422, missing("sha")],
  [`POST ${REPO}/issues`, {}, 422, missing("title")],
  [
    `POST ${REPO}/issues`,
    { title: null },
    422,
    `For 'properties/title', no subschema in "oneOf" matched.`,
  ],
  [`POST ${REPO}/issues`, { title: "T", body: 1 }, 422, not("body", "1", "a string")],
  [`POST ${REPO}/issues`, { title: "T", labels: "bug" }, 422, not("labels", '"bug"', "an array")],
  [`POST ${REPO}/issues`, { title: "T", assignees: [1] }, 422, "For 'items', 1 is not a string."],
  [`POST ${REPO}/issues`, { title: "T", milestone: true }, 422, `no subschema in "oneOf" matched.`],
  [
    `PATCH ${REPO}/issues/1`,
    { state: "bogus" },
    422,
    `"bogus" is not a member of ["open", "closed"].`,
  ],
  [`PATCH ${REPO}/issues/1`, { state_reason: "bogus" }, 422, "is not a member of"],
  [`PATCH ${REPO}/issues/1`, { state: null }, 422, nil("state", "a string")],
  [`PATCH ${REPO}/issues/1`, { assignees: "me" }, 422, not("assignees", '"me"', "an array")],
  [`POST ${REPO}/issues/1/comments`, {}, 422, missing("body")],
  [`POST ${REPO}/issues/1/comments`, { body: null }, 422, nil("body", "a string")],
  [`PATCH ${REPO}/issues/comments/1001`, { body: 5 }, 422, not("body", "5", "a string")],
  [`POST ${REPO}/issues/1/reactions`, { content: "meh" }, 422, "is not a member of"],
  [`POST ${REPO}/issues/1/labels`, { labels: [1] }, 422, "no subschema"],
  [
    `POST ${REPO}/issues/1/assignees`,
    { assignees: "me" },
    422,
    not("assignees", '"me"', "an array"),
  ],
  [`PUT ${REPO}/issues/1/lock`, { lock_reason: "because" }, 422, "is not a member of"],
  [
    `POST ${REPO}/issues/1/sub_issues`,
    { sub_issue_id: "3" },
    422,
    not("sub_issue_id", '"3"', "an integer"),
  ],
  [`POST ${REPO}/labels`, {}, 422, missing("name")],
  [`POST ${REPO}/labels`, { name: "x", color: "#ff0000" }, 422, "Validation Failed"],
  [`POST ${REPO}/labels`, { name: "x", color: null }, 422, nil("color", "a string")],
  [`POST ${REPO}/labels`, { name: "bug" }, 422, "Validation Failed"],
  [`PATCH ${REPO}/labels/bug`, { color: "red" }, 422, "Validation Failed"],
  [`PATCH ${REPO}/labels/bug`, { new_name: null }, 422, nil("new_name", "a string")],
  [`POST ${REPO}/milestones`, {}, 422, missing("title")],
  [`POST ${REPO}/milestones`, { title: "M", state: "half" }, 422, "is not a member of"],
  [`POST ${REPO}/milestones`, { title: "M", due_on: "tomorrow" }, 422, "is not a valid date-time."],
  [`POST ${REPO}/pulls`, { title: "T" }, 422, `"head", "base" weren't supplied.`],
  [`POST ${REPO}/pulls`, { title: "T", head: "x", base: null }, 422, nil("base", "a string")],
  [
    `POST ${REPO}/pulls`,
    { title: "T", head: "x", base: "main", draft: "yes" },
    422,
    not("draft", '"yes"', "a boolean"),
  ],
  [`PATCH ${PULL}`, { state: "merged" }, 422, "is not a member of"],
  [`PUT ${PULL}/merge`, { merge_method: "sideways" }, 422, "is not a member of"],
  [`PUT ${PULL}/merge`, { sha: null }, 422, nil("sha", "a string")],
  [`POST ${PULL}/reviews`, { event: "SHRUG" }, 422, "is not a member of"],
  [`POST ${OWN_PULL}/reviews`, { event: "APPROVE" }, 422, "Unprocessable Entity"],
  [`POST ${PULL}/reviews`, { comments: {} }, 422, not("comments", "{}", "an array")],
  [
    `POST ${PULL}/comments`,
    { body: "b", path: "x", commit_id: null, line: 1 },
    422,
    nil("commit_id", "a string"),
  ],
  [
    `POST ${PULL}/requested_reviewers`,
    { reviewers: "me" },
    422,
    not("reviewers", '"me"', "an array"),
  ],
  [`POST ${REPO}/git/refs`, { ref: "refs/heads/x" }, 422, missing("sha")],
  [
    `PATCH ${REPO}/git/refs/heads/main`,
    { sha: "x", force: "yes" },
    422,
    not("force", '"yes"', "a boolean"),
  ],
  [`POST ${REPO}/git/trees`, {}, 422, missing("tree")],
  [`POST ${REPO}/git/trees`, { tree: [{ mode: "777" }] }, 422, "is not a member of"],
  [`POST ${REPO}/git/commits`, { message: "m" }, 422, missing("tree")],
  [`POST ${REPO}/releases`, {}, 422, missing("tag_name")],
  [
    `POST ${REPO}/releases`,
    { tag_name: "v9", draft: "no" },
    422,
    not("draft", '"no"', "a boolean"),
  ],
  [`POST ${REPO}/releases`, { tag_name: "v9", make_latest: "maybe" }, 422, "is not a member of"],
  [`POST ${REPO}/actions/workflows/publish.yml/dispatches`, {}, 422, missing("ref")],
  ["POST /gists", {}, 422, missing("files")],
  ["POST /gists", { files: { "a.txt": { content: "" } } }, 422, "Validation Failed"],
  ["POST /gists", { files: { "a.txt": null } }, 422, nil("a.txt", "an object")],
  ["POST /user/repos", {}, 422, missing("name")],
  ["POST /user/repos", { name: "x", private: "yes" }, 422, not("private", '"yes"', "a boolean")],
  ["POST /orgs/octo/repos", { name: "x", visibility: "secret" }, 422, "is not a member of"],
  [`PUT ${REPO}/topics`, { names: 1.5 }, 422, not("names", "1.5", "an array")],
  ["POST /user/repos", "{", 400, "Problems parsing JSON"],
  [`POST ${REPO}/labels`, { name: "x".repeat(51) }, 422, "Validation Failed"],
  [`PUT ${REPO}/topics`, { names: ["two words"] }, 422, "Validation Failed"],
  [`PUT ${REPO}/topics`, { names: ["x".repeat(51)] }, 422, "Validation Failed"],
  [`PUT ${REPO}/topics`, { names: MANY_TOPICS }, 422, "Validation Failed"],
  [
    "GET /search/issues?q=a&per_page=100&page=11",
    undefined,
    422,
    "Only the first 1000 search results are available",
  ],
];

let client: Client;
beforeAll(async () => {
  client = await startClient();
});
afterAll(() => client.emulator.close());

function withVersion(version: string): Sent {
  return { headers: { "x-github-api-version": version } };
}

describe("input that GitHub refuses", () => {
  it.each(
    BAD_BODIES.map(([line, body, ...expected]) => {
      const shown = body === undefined ? "without a body" : `with ${JSON.stringify(body)}`;
      return [line, shown.length > 120 ? "with a long body" : shown, body, ...expected] as const;
    }),
  )(
    "the GitHub emulator refuses %s %s with the status that GitHub returns",
    async (line, _shown, body, status, message) => {
      const answer = await client.rest<{ message: string; errors?: unknown }>(line, body);
      expect([answer.status, answer.body.message]).toEqual([
        status,
        expect.stringContaining(message),
      ]);
    },
  );

  it("the GitHub emulator applies none of the requests that it refuses", () => {
    expect(client.emulator.applied()).toEqual({});
  });

  it("the GitHub emulator returns the errors of a refused review as strings, and other errors as objects", async () => {
    const approve = await client.rest(`POST ${OWN_PULL}/reviews`, { event: "APPROVE" });
    expect(approve.body["errors"]).toEqual(["Can not approve your own pull request"]);
    const label = await client.rest(`POST ${REPO}/labels`, { name: "x", color: "#ff0000" });
    expect(label.body["errors"]).toEqual([{ resource: "Label", field: "color", code: "invalid" }]);
  });

  it("the GitHub emulator rejects an API version that GitHub does not support", async () => {
    const old = await client.rest("GET /user", undefined, withVersion("1999-01-01"));
    expect(old.status).toBe(400);
    const { status, headers } = await client.rest(
      "GET /user",
      undefined,
      withVersion("2026-03-10"),
    );
    expect([status, headers.get("x-github-api-version-selected")]).toEqual([200, "2026-03-10"]);
  });

  it("the GitHub emulator replaces invalid characters in the name of a new repository", async () => {
    const { status, body } = await client.rest("POST /user/repos", { name: "bad name!" });
    expect([status, body["name"]]).toEqual([201, "bad-name-"]);
  });
});

function hello(inner: string): string {
  return `{ repository(owner: "octo", name: "hello") { ${inner} } }`;
}

describe("GraphQL limits", () => {
  const LABELS = "issues(first: 100) { nodes { labels(first: 100) { nodes { name } } } }";

  it.each([
    ["a page over 100", hello("issues(first: 101) { totalCount }"), "EXCESSIVE_PAGINATION"],
    ["a list without a size", hello("issues { nodes { id } }"), "MISSING_PAGINATION_BOUNDARIES"],
    [
      "more than 500,000 nodes",
      hello(
        `a: issues(first: 100) { nodes { timelineItems(first: 100) { nodes { __typename } } labels(first: 100) { nodes { issues(first: 100) { totalCount } } } } }`,
      ),
      "MAX_NODE_LIMIT_EXCEEDED",
    ],
    [
      "an invalid cursor",
      hello(`issues(first: 1, after: "x") { nodes { id } }`),
      "INVALID_CURSOR_ARGUMENTS",
    ],
    [
      "more than 100 ids",
      `{ nodes(ids: [${Array.from({ length: 101 }, () => '"x"').join(" ")}]) { id } }`,
      "ARGUMENT_LIMIT",
    ],
    ["an issue that does not exist", hello("issue(number: 999) { id }"), "NOT_FOUND"],
  ])("the GitHub emulator rejects a GraphQL query with %s", async (_what, query, type) => {
    expect((await client.graphql(query)).errors).toMatchObject([{ type }]);
  });

  it.each([
    ["undefinedField", "{ viewer { nothing } }", ["query", "viewer", "nothing"]],
    [
      "argumentNotAccepted",
      "query Q { viewer { login(x: 1) } }",
      ["query Q", "viewer", "login", "x"],
    ],
    ["missingRequiredArguments", `{ repository(owner: "o") { id } }`, ["query", "repository"]],
    ["selectionMismatch", "{ viewer }", ["query", "viewer"]],
    ["undefinedType", "{ ... on Nothing { id } }", ["query", "... on Nothing"]],
    ["variableNotDefined", "{ user(login: $x) { id } }", ["query", "user", "login"]],
  ])(
    "the GitHub emulator returns the GraphQL error code %s for an invalid query",
    async (code, query, path) => {
      expect((await client.graphql(query)).errors).toMatchObject([{ extensions: { code }, path }]);
    },
  );

  it("the GitHub emulator lists each problem of invalid GraphQL variables", async () => {
    const query =
      "mutation ($input: CreateIssueInput!) { createIssue(input: $input) { issue { id } } }";
    const { errors } = await client.graphql(query, { input: { repositoryId: "x", titel: "T" } });
    const problems = [
      { path: ["title"], explanation: "Expected value to not be null" },
      { path: ["titel"], explanation: "Field is not defined on CreateIssueInput" },
    ];
    expect(errors).toMatchObject([{ extensions: { problems } }]);
  });

  it("the GitHub emulator accepts a GraphQL query of fewer than 500,000 nodes", async () => {
    expect((await client.graphql(hello(LABELS))).errors).toBeUndefined();
  });
});

/** A value for every parameter of a path, so that the request matches that operation only. */
const SAMPLES: Readonly<Record<string, string>> = { owner: "octo", repo: "hello", org: "octo" };

/** Another form of the path that the emulator serves as compare/{basehead}. */
const OLDER_COMPARE = "GET /repos/{owner}/{repo}/compare/{base}...{head}";

function pathFrom(template: string): string {
  return template.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => SAMPLES[name] ?? "1");
}

describe("unserved operations", () => {
  it("the GitHub emulator returns 501 for every REST operation that it does not serve", async () => {
    const served = new Set([...SERVED, "GET /rate_limit", OLDER_COMPARE]);
    const paths = githubDescription()["paths"] as Readonly<Record<string, Json>>;
    const unserved = Object.entries(paths)
      .flatMap(([template, methods]) =>
        Object.keys(methods).map((method) => [method.toUpperCase(), template] as const),
      )
      .filter(([method, template]) => !served.has(`${method} ${template}`));
    const wrong: unknown[] = [];
    for (const [method, template] of unserved) {
      const { status } = await client.send(method, pathFrom(template));
      if (status !== 501) wrong.push([method, template, status]);
    }
    expect(wrong).toEqual([]);
    expect(unserved.length).toBeGreaterThan(500);
  });

  it.each([
    `GET ${REPO}/branches/main/protection`,
    `GET ${REPO}/branches/feature/locale/protection/enforce_admins`,
    "GET /gists/starred",
    `GET ${REPO}/commits/main/comments`,
  ])(
    "the GitHub emulator returns 501 for an unserved operation whose path resembles a served path: %s",
    async (line) => {
      const [method = "", path = ""] = line.split(" ");
      expect((await client.send(method, path)).status).toBe(501);
    },
  );

  it("the GitHub emulator returns 404 for a path that GitHub does not have", async () => {
    expect((await client.send("GET", "/repos/octo/hello/no/such/thing")).status).toBe(404);
  });
});

describe("conditional requests", () => {
  it("the GitHub emulator does not count a conditional request against the rate limit when nothing changed", async () => {
    const first = await client.rest(`GET ${REPO}/issues/1`);
    const etag = first.headers.get("etag")!;
    const modified = first.headers.get("last-modified")!;
    expect(new Date(modified).toISOString()).toBe(
      first.body["updated_at"]?.toString().replace("Z", ".000Z"),
    );
    const left = first.headers.get("x-ratelimit-remaining");
    for (const headers of [{ "if-none-match": etag }, { "if-modified-since": modified }]) {
      const again = await client.send("GET", `${REPO}/issues/1`, undefined, { headers });
      expect([again.status, again.headers.get("x-ratelimit-remaining")]).toEqual([304, left]);
    }
  });

  it("the GitHub emulator leaves the number of remaining requests unchanged after a conditional request for the rate limits", async () => {
    await client.rest(`GET ${REPO}`);
    const { headers, body } = await client.rest(`GET /rate_limit`);
    const known = { headers: { "if-none-match": headers.get("etag")! } };
    const again = await client.send("GET", "/rate_limit", undefined, known);
    expect(again.status).toBe(304);
    expect((await client.rest("GET /rate_limit")).body).toEqual(body);
  });
});
