import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { formatProblem } from "@waybill/core/cards";
import { loadCards } from "./index.ts";

const CARD = `capability_id: issue.create
version: "1.0.0"
description: Open an issue
effect: write
idempotent: false
aliases: { name: [repo] }
input_schema:
  type: object
  required: [owner, name, title]
  properties:
    owner: { type: string }
    name: { type: string }
    title: { type: string }
    body: { type: string }
output_schema: { type: object, required: [id, number, url] }
routing: { preferred: graphql, fallbacks: [rest, cli] }
lookup:
  repository: { document: RepositoryId, variables: { owner: owner, name: name }, value: repository.id }
graphql:
  operationName: IssueCreate
  documentPath: documents/issue-create.graphql
  variables: { input: { repositoryId: lookup.repository, title: title, body: body } }
  output: { from: createIssue.issue, fields: { id: id, number: number, url: url } }
rest:
  method: POST
  path: /repos/{owner}/{name}/issues
  body: { title: title, body: body }
  output: { fields: { id: node_id, number: number, url: html_url } }
cli: { use: rest }
`;
const DOCUMENTS = {
  "documents/issue-create.graphql":
    "mutation IssueCreate($input: CreateIssueInput!) { createIssue(input: $input) { issue { id number url } } }",
  "documents/repository-id.graphql":
    "query RepositoryId($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { id } }",
};

function steps(id: string, tasks: readonly string[]): string {
  return `capability_id: ${id}
version: "1.0.0"
description: Does several things
effect: read
input_schema: { type: object }
output_schema: { type: object }
output: {}
steps:
${tasks.map((task) => `  - { task: ${task} }\n`).join("")}`;
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "waybill-cards-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

async function readCardProblems(files: Record<string, string | Uint8Array>): Promise<string[]> {
  await write(files);
  return (await loadCards(folder)).problems.map(formatProblem);
}

describe("loadCards", () => {
  it("loadCards refuses a card whose verify section names a card that writes", async () => {
    const verify =
      "verify: { capability: issue.open, params: { owner: owner }, same: { title: title } }";
    await write({
      ...DOCUMENTS,
      "create.yaml": `${CARD}${verify}\n`,
      "open.yaml": CARD.replace("issue.create", "issue.open"),
    });
    const { cards, problems } = await loadCards(folder);
    expect(cards.map(({ id }) => id)).toEqual(["issue.open"]);
    expect(problems.map(formatProblem)).toEqual([
      "create.yaml:30 verify.capability: issue.open is a write; only a read can show whether the write was applied",
    ]);
  });

  it.each(["{ type: array }", "{ type: object, properties: { items: { type: array } } }"])(
    "loadCards refuses a card whose verify section reads a list (%s) without saying which items are new",
    async (schema) => {
      const verify = "verify: { capability: issue.list, params: {}, same: { title: title } }\n";
      const list = `capability_id: issue.list
version: 1.0.0
description: Issues
effect: read
input_schema: { type: object }
output_schema: ${schema}
routing: { preferred: rest, fallbacks: [] }
rest: { method: GET, path: /issues, output: "@" }
`;
      const files = { ...DOCUMENTS, "create.yaml": CARD + verify, "list.yaml": list };
      expect(await readCardProblems(files)).toEqual([
        'create.yaml:30 verify: issue.list is a list; add "created" or "before" to show which of its items are new',
      ]);
    },
  );

  it("loadCards returns the cards of a folder and their GraphQL documents", async () => {
    await write({ "issue/create.yaml": CARD, ...DOCUMENTS });
    const { cards, problems } = await loadCards(folder);
    expect(problems).toEqual([]);
    expect(cards.map(({ id }) => id)).toEqual(["issue.create"]);
    expect(cards[0]!.parts.graphql).toMatchObject([
      { lookups: ["repository"], document: { kind: "mutation", template: {} } },
    ]);
    expect(JSON.parse(JSON.stringify(cards))).toEqual(cards);
  });

  it("loadCards reports every problem with file, line and key, and still returns the valid cards", async () => {
    const bad = CARD.replace("issue.create", "issue.bad")
      .replace("title: title, body: body } }\n  output", "title: 'titl[', body: body } }\n  output")
      .replace("use: rest", "use: soap");
    const worse = CARD.replace("issue.create", "issue.worse").replace("title]", "title");
    await write({ "a.yaml": bad, "b.yml": worse, "c.yaml": CARD, ...DOCUMENTS });
    const { cards, problems } = await loadCards(folder);
    expect(cards.map(({ id }) => id)).toEqual(["issue.create"]);
    const lines = problems.map(formatProblem);
    expect(lines[0]).toMatch(/^a\.yaml:29 cli\.use: must be one of/);
    expect(lines[1]).toMatch(
      /^a\.yaml:22 graphql\.variables\.input\.title: "titl\[" is not a valid/,
    );
    expect(lines.find((line) => line.startsWith("b.yml"))).toMatch(/^b\.yml:\d+ \S/);
  });

  it("loadCards names the line of an expression deep in a card", async () => {
    const bad = CARD.replace("url: html_url", "url: 'html_url['");
    expect(await readCardProblems({ "a.yaml": bad, ...DOCUMENTS })).toEqual([
      'a.yaml:28 rest.output.fields.url: "html_url[" is not a valid expression: Syntax error: expected Star, got: EOF',
    ]);
  });

  it("loadCards names the line of the surrounding object for a missing key", async () => {
    const bad = CARD.replace("  method: POST\n", "");
    expect(await readCardProblems({ "a.yaml": bad, ...DOCUMENTS })).toEqual([
      "a.yaml:25 rest.method: is required: GET, HEAD, POST, PUT, PATCH, DELETE",
    ]);
  });

  it("loadCards reports a duplicate card id, and a verify section that names a capability that does not exist", async () => {
    const verify = "verify: { capability: issue.lst, params: {}, same: { title: title } }\n";
    expect(await readCardProblems({ "a.yaml": CARD, "b.yaml": CARD, ...DOCUMENTS })).toEqual([
      "b.yaml:1 capability_id: issue.create is already the id of the card in a.yaml; choose another id",
    ]);
    expect(await readCardProblems({ "a.yaml": CARD + verify, "b.yaml": "" })).toContain(
      "a.yaml:30 verify.capability: there is no issue.lst",
    );
    await rm(join(folder, "b.yaml"));
    expect((await loadCards(folder, { capabilities: ["issue.lst"] })).problems).toEqual([]);
  });

  it("loadCards reports a card whose steps form a cycle, and still returns the other cards", async () => {
    const files = {
      "a.yaml": steps("bug.a", ["issue.view", "bug.b"]),
      "b.yaml": steps("bug.b", ["bug.c"]),
      "c.yaml": steps("bug.c", ["bug.b"]),
      "d.yaml": steps("bug.d", ["bug.d"]),
      "e.yaml": steps("bug.e", ["issue.view"]),
    };
    expect(await readCardProblems(files)).toEqual([
      "d.yaml:9 steps.0.task: is this card itself; call another capability",
      "b.yaml:9 steps.0.task: calls this card again (bug.b → bug.c → bug.b); remove one of these calls",
      "c.yaml:9 steps.0.task: calls this card again (bug.c → bug.b → bug.c); remove one of these calls",
    ]);
    expect((await loadCards(folder)).cards.map(({ id }) => id)).toEqual(["bug.a", "bug.e"]);
  });

  it("loadCards reports steps that name an unknown capability if it gets the list of capabilities", async () => {
    await write({ "a.yaml": steps("bug.a", ["issue.view", "issue.lst"]) });
    expect((await loadCards(folder)).problems).toEqual([]);
    const { problems } = await loadCards(folder, { capabilities: ["issue.view", "issue.list"] });
    expect(problems.map(formatProblem)).toEqual([
      'a.yaml:10 steps.1.task: there is no issue.lst; did you mean "issue.list"?',
    ]);
  });

  it("loadCards reports lookups of a card that depend on each other", async () => {
    const circle = CARD.replace(
      "owner: owner, name: name }, value",
      "owner: lookup.repository }, value",
    );
    expect(await readCardProblems({ "a.yaml": circle, ...DOCUMENTS })).toContain(
      "a.yaml:18 lookup.repository: depends on itself, through repository",
    );
  });

  it("loadCards reports GraphQL documents that do not parse, are missing or share a name", async () => {
    const found = await readCardProblems({
      "a.yaml": CARD,
      "documents/issue-create.graphql": "mutation IssueCreate {\n  createIssue(\n}",
      "documents/x.graphql": DOCUMENTS["documents/repository-id.graphql"],
      "documents/y.graphql": DOCUMENTS["documents/repository-id.graphql"],
    });
    expect(found[0]).toMatch(/^documents\/issue-create\.graphql:3 Syntax Error/);
    expect(found[1]).toBe(
      "documents/y.graphql RepositoryId: another document has this name; rename one of them",
    );
    expect(found[2]).toBe(
      'a.yaml:21 graphql.documentPath: there is no document "documents/issue-create.graphql"',
    );
  });

  it("loadCards does not read a GraphQL document outside the card folder", async () => {
    await writeFile(join(folder, "..", "outside.graphql"), "query IssueCreate { a }");
    const path = CARD.replace("documents/issue-create.graphql", "../outside.graphql");
    const found = await readCardProblems({ "a.yaml": path, ...DOCUMENTS });
    await rm(join(folder, "..", "outside.graphql"));
    expect(found).toEqual([
      'a.yaml:21 graphql.documentPath: there is no document "../outside.graphql"',
    ]);
  });

  it.each<[string, string | Uint8Array, RegExp]>([
    ["an empty file", "", /^x\.yaml:1 must be object, not null$/],
    ["a file of comments", "# later\n", /^x\.yaml:1 must be object, not null$/],
    ["a file with a list", "- a\n- b\n", /^x\.yaml:1 must be object, not array$/],
    [
      "a file with two documents",
      "a: 1\n---\nb: 2\n",
      /^x\.yaml:\d multiple documents|^x\.yaml:\d Source contains/i,
    ],
    ["a duplicate key", "a: 1\na: 2\n", /^x\.yaml:2 Map keys must be unique/],
    ["an unknown tag", "a: !!js/function 'x'\n", /^x\.yaml:1 Unresolved tag/],
    ["an unknown anchor", "a: *b\n", /^x\.yaml:1 Unresolved alias/],
    ["an alias to itself", "a: &a [*a]\n", /^x\.yaml:1 /],
    ["an alias bomb", bomb(), /^x\.yaml:1 Excessive alias count/],
    ["indentation with tabs", "a:\n\tb: 1\n", /^x\.yaml:2 Tabs/],
    ["binary data", new Uint8Array([0xff, 0xfe, 0x00, 0x41]), /^x\.yaml cannot be read/],
    ["a file over 256 KB", `a: ${"x".repeat(300_000)}`, /^x\.yaml is larger than 256 KB$/],
    ["2,000 nested lists", "[".repeat(2_000), /^x\.yaml/],
  ])("loadCards reports a problem for %s", async (_name, content, message) => {
    const found = await readCardProblems({ "x.yaml": content });
    expect(found[0]).toMatch(message);
  });

  it("loadCards fails for a missing folder, and returns no cards for an empty folder", async () => {
    await expect(loadCards(join(folder, "none"))).rejects.toThrow("ENOENT");
    expect(await loadCards(folder)).toEqual({ cards: [], problems: [] });
  });
});

function bomb(): string {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 8; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  }
  return lines.join("\n");
}
