import { readFileSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadCards } from "@waybill/adapters/cards";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import { cardOperation, formatProblem } from "@waybill/core/cards";
import type {
  AttemptMeta,
  ErrorCode,
  OperationCard,
  ResultEnvelope,
  ResultError,
  ResultMeta,
  Route,
  RouteReason,
  RouteType,
} from "@waybill/core";
import { CardSchema } from "@waybill/core/cards";
import type { PreparedCard } from "@waybill/core/cards";
import { loadChecker } from "@waybill/core/schema";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { parse } from "yaml";
import { parse as parseGraphql, visit } from "graphql";
import { describe, expect, it, onTestFinished } from "vitest";
import { startEmbedded } from "../../packages/github/src/pack/fixtures/embedded.ts";
import { githubKit } from "../../packages/github/src/pack/kit.ts";
import { cards as packCards } from "../../packages/github/src/pack/cards.ts";
import { skillText } from "../../packages/cli/src/skill/index.ts";
import { readScenarios } from "../../benchmarks/agent/scenario/read.ts";
import { recordedPlays } from "../../benchmarks/agent/play/recorded.ts";
import { reportTargets } from "../../benchmarks/agent/report/index.ts";
import { root } from "../../scripts/run.mjs";
import { describeWithProgram } from "../support/programs.ts";

const DOCUMENT_PATH = "packages/adapters/graphql/src/operations/IssueView.graphql";
const DOCUMENT = `query IssueView($owner: String!, $repo: String!, $issue_number: Int!) {
  repository(owner: $owner, name: $repo) {
    issue(number: $issue_number) { id number title state url }
  }
}`;

/** Appendix A of the document, unchanged. */
const APPENDIX_A = `capability_id: issue.view
version: "1.0.0"
description: "Fetch a single issue by number with core fields."
input_schema:
  type: object
  required: [owner, repo, issue_number]
  properties:
    owner: { type: string }
    repo: { type: string }
    issue_number: { type: integer, minimum: 1 }
output_schema:
  type: object
  required: [id, number, title, state, url]
  properties:
    id: { type: string }
    number: { type: integer }
    title: { type: string }
    state: { type: string }
    url: { type: string }
routing:
  preferred: graphql
  fallbacks: [cli]
  notes:
    - "Use GraphQL for precise fields; fallback to gh CLI if GraphQL token missing."
graphql:
  operationName: IssueView
  documentPath: ${DOCUMENT_PATH}
cli:
  command: "issue view"
  jsonFields: ["id","number","title","state","url"]
examples:
  - title: "Basic issue view"
    input: { owner: "octocat", repo: "hello-world", issue_number: 123 }
`;

async function load(card: string): Promise<{ cards: readonly PreparedCard[]; problems: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-seeds-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(dirname(join(folder, DOCUMENT_PATH)), { recursive: true });
  await writeFile(join(folder, DOCUMENT_PATH), DOCUMENT);
  await writeFile(join(folder, "issue.view.yaml"), card);
  const { cards, problems } = await loadCards(folder);
  return { cards, problems: problems.map(formatProblem) };
}

const WITH_REST = `${APPENDIX_A.replace("fallbacks: [cli]", "fallbacks: [rest, cli]")}rest:
  endpoints: [{ method: GET, path: "/repos/{owner}/{repo}/issues/{issue_number}" }]
`;
const ISSUE = { owner: "octo", repo: "hello", issue_number: 1 };

async function run(
  card: PreparedCard,
  allowed: readonly Route[],
  params: object = ISSUE,
): Promise<ResultEnvelope> {
  const embedded = await startEmbedded();
  onTestFinished(() => embedded.close());
  const transport = createHttpTransport();
  onTestFinished(() => transport.close());
  const env = { PATH: process.env["PATH"], HOME: embedded.place.ghConfigDir ?? "" };
  const kit = githubKit(embedded.place, { env, transport, userAgent: "waybill-test" });
  const routes = kit.routes.filter(({ route }) => allowed.includes(route));
  const waybill = createWaybill({ operations: [cardOperation(card, { ...kit, routes })] });
  onTestFinished(() => waybill.close());
  return waybill.execute("issue.view", params);
}

describe("Appendix A: the example card", () => {
  it("the specification's example card is loaded as printed, as a read", async () => {
    const { cards, problems } = await load(APPENDIX_A);
    expect(problems).toEqual([]);
    expect(cards).toMatchObject([{ id: "issue.view", effect: "read", order: ["graphql", "cli"] }]);
  });

  it("the specification's example card is a write when it sends a command that writes", async () => {
    const { cards } = await load(APPENDIX_A.replace("issue view", "issue close"));
    expect(cards).toMatchObject([{ effect: "write" }]);
  });

  describeWithProgram("gh", () => {
    it.each(["graphql", "cli"] as const)(
      "the specification's example card runs as printed by %s",
      async (route) => {
        const { cards } = await load(APPENDIX_A);
        const { ok, data, error } = await run(cards[0]!, [route]);
        expect(error).toBeNull();
        expect(ok).toBe(true);
        expect(data).toMatchObject({
          number: 1,
          state: "OPEN",
          title: expect.any(String) as string,
        });
        expect(Object.keys(data as object)).toEqual(["id", "number", "title", "state", "url"]);
      },
    );
  });
});

describe("6.3 OperationCard schema: forms that Waybill's cards write differently", () => {
  it.each([
    [
      "a rule that says when it applies",
      APPENDIX_A.replace(
        "fallbacks: [cli]",
        "fallbacks: [cli]\n  suitability: [{ when: env, predicate: env.offline, reason: x }]",
      ),
      "routing.suitability.0.when: is not read by Waybill; write the route that the predicate prefers",
    ],
    [
      "several endpoints",
      `${APPENDIX_A}rest: { endpoints: [{ method: GET, path: /a }, { method: GET, path: /b }] }\n`,
      "rest.endpoints: must name one endpoint",
    ],
    [
      "jq",
      APPENDIX_A.replace("  jsonFields", "  jq: .title\n  jsonFields"),
      "cli.jq: is not read by Waybill; write output in JMESPath",
    ],
  ])(
    "a card with %s is rejected, and the error names the form to use",
    async (_, card, sentence) => {
      const { cards, problems } = await load(card);
      expect(cards).toEqual([]);
      expect(problems.join("\n")).toContain(sentence);
    },
  );

  it("a card with one REST endpoint is accepted, and its outputs are read by their names", async () => {
    const { cards, problems } = await load(WITH_REST);
    expect(problems).toEqual([]);
    const { data } = await run(cards[0]!, ["rest"]);
    expect(data).toMatchObject({ number: 1, state: "open" });
  });
});

describe("6.3 OperationCard schema: names", () => {
  it("Waybill exports OperationCard and RouteType under the names of the specification", () => {
    const routes: RouteType[] = ["cli", "graphql", "rest"];
    const card: Pick<OperationCard, "capability_id" | "version"> = {
      capability_id: "issue.view",
      version: "1.0.0",
    };
    expect([routes.length, card.capability_id]).toEqual([3, "issue.view"]);
  });
});

const HELLO = { owner: "octo", name: "hello" };

async function openPack() {
  const embedded = await startEmbedded({ waybill: { retry: { maxAttempts: 1 } } });
  onTestFinished(() => embedded.close());
  return embedded;
}

function readScripts(): Record<string, string> {
  const text = readFileSync(join(root, "package.json"), "utf8");
  return (JSON.parse(text) as { scripts: Record<string, string> }).scripts;
}

describe("2) Success metrics", () => {
  const { played } = recordedPlays(readScenarios());
  const targets = reportTargets(played, "mcp");
  const valueOf = (id: string): number =>
    targets.find((target) => target.id === id)!.value as number;

  it("the agent benchmark passes at least 95 % of its scenarios", () => {
    expect(valueOf("pass.mcp")).toBeGreaterThanOrEqual(95);
  });

  it("the reads of the agent benchmark take at most 2 calls in the median, and 4 at the 95th percentile", () => {
    expect(valueOf("calls.mcp.median")).toBeLessThanOrEqual(2);
    expect(valueOf("calls.mcp.p95")).toBeLessThanOrEqual(4);
  });
});

describe("5.1 Tools", () => {
  it("the tool execute takes an id, params and options", async () => {
    const { waybill } = await openPack();
    const result = await waybill.execute("repo.view", HELLO, { select: ["name"] });
    expect(result.data).toEqual({ name: "hello" });
  });

  it("explain takes at most 200 tokens of text for each capability", async () => {
    const { waybill } = await openPack();
    const { explainText } = await import("@waybill/core/protocol");
    const items = await waybill.list_capabilities();
    expect(items.length).toBeGreaterThan(100);
    for (const { capability_id, description } of items) {
      expect(description).not.toBe("");
      const text = explainText(await waybill.explain(capability_id));
      expect([capability_id, encode(text).length <= 200]).toEqual([capability_id, true]);
    }
  });
});

describe("5.2 Main Skill", () => {
  const skill = skillText({ form: "lean", door: "mcp" });

  it.each([
    ["use execute for everything", "Do all with `execute(capability_id, params)`"],
    ["never read help or schemas", "Never read `gh help`, API docs or schemas"],
    ["explain or ask when params are not known", /`explain`.*or ask\./u],
    ["treat an error as a failure", /`!CODE` and the error/u],
    ["retry once if retryable", /Retry once, only if it says retry/u],
    ["use only data or error", /Answers are data, or/u],
  ])("the skill tells the agent to %s", (_, words) => {
    expect(skill).toMatch(words);
  });
});

describe("6.2 Card lifecycle", () => {
  it("every card has all fields that the specification requires", async () => {
    const folder = join(root, "packages/github/cards");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const schema = (await loadChecker()).compile(CardSchema);
    const required = [
      "capability_id",
      "version",
      "description",
      "input_schema",
      "output_schema",
      "routing",
    ];
    const cards = files.filter((name) => name.endsWith(".yaml"));
    expect(cards.length).toBeGreaterThan(100);
    for (const name of cards) {
      const card = parse(readFileSync(join(folder, name), "utf8")) as Record<string, unknown>;
      if (card["capability_id"] === undefined) continue;
      const needed = card["steps"] === undefined ? required : required.slice(0, -1);
      expect([name, needed.filter((key) => card[key] === undefined)]).toEqual([name, []]);
      expect([name, schema.check(card)]).toEqual([name, true]);
    }
  });

  it("explain shows the notes and examples of a capability's card", async () => {
    const { waybill } = await openPack();
    const { notes } = await waybill.explain("issue.view");
    expect(notes).toEqual(packCards.cardById("issue.view")!.notes);
    expect((await waybill.explain("repo.view")).examples).toHaveLength(1);
  });
});

describe("6.3 OperationCard schema: reasons", () => {
  it("Waybill accepts the route reasons of the specification", () => {
    const reasons: RouteReason[] = [
      "CARD_PREFERRED",
      "CARD_FALLBACK",
      "PREFLIGHT_FAILED",
      "ENV_CONSTRAINT",
      "CAPABILITY_LIMIT",
      "DEFAULT_POLICY",
    ];
    expect(reasons).toHaveLength(6);
  });
});

describe("7) Router and Execution Semantics", () => {
  it("the router checks params before it plans a route", async () => {
    const { github, waybill } = await openPack();
    const { error, meta } = await waybill.execute("issue.view", { ...HELLO, issueNumber: "x" });
    expect(error?.code).toBe("VALIDATION");
    expect(meta.attempts).toBeUndefined();
    expect(github.requests).toEqual([]);
  });

  it("the router falls back without a retry after AUTH", async () => {
    const { github, waybill } = await openPack();
    github.faults.inject({ kind: "status", status: 401, match: { path: "/graphql" } });
    const result = await waybill.execute("repo.view", HELLO);
    expect(result.meta.attempts?.map(({ route, error_code }) => [route, error_code])).toEqual([
      ["graphql", "AUTH"],
      ["rest", undefined],
    ]);
  });

  it("the router skips a route whose page size limit is exceeded", async () => {
    const { cards } = await load(
      WITH_REST.replace(
        "issue_number: { type: integer, minimum: 1 }",
        "issue_number: { type: integer, minimum: 1 }\n    first: { type: integer }",
      ).replace(
        "operationName: IssueView",
        "operationName: IssueView\n  limits: { maxPageSize: 10 }",
      ),
    );
    const { meta } = await run(cards[0]!, ["graphql", "rest"], { ...ISSUE, first: 50 });
    expect(meta).toMatchObject({ route_used: "rest", reason: "CAPABILITY_LIMIT" });
    const skipped = { route: "graphql", status: "skipped", error_code: "LIMIT_EXCEEDED" };
    expect(meta.attempts?.[0]).toMatchObject(skipped);
  });
});

describe("8) Output Envelope and Error Taxonomy", () => {
  it("Waybill exports the envelope types under the names of the specification", () => {
    const codes: ErrorCode[] = [
      "AUTH",
      "NOT_FOUND",
      "VALIDATION",
      "RATE_LIMIT",
      "NETWORK",
      "SERVER",
    ];
    const error: ResultError = { code: codes[0]!, message: "m", retryable: false };
    const attempt: AttemptMeta = {
      route: "cli",
      status: "error",
      error_code: "AUTH",
      duration_ms: 1,
    };
    const meta: ResultMeta = { capability_id: "a.b", attempts: [attempt], cost: { tokens_out: 1 } };
    const result: ResultEnvelope = { ok: false, data: null, error, meta };
    expect(result.error.code).toBe("AUTH");
  });

  it("an envelope with trace has attempts, timings and cost, and no payloads", async () => {
    const { waybill } = await openPack();
    const { meta } = await waybill.execute("repo.view", HELLO, { trace: true });
    expect(meta.attempts).toHaveLength(1);
    expect(meta.timings?.total_ms).toBeGreaterThan(0);
    expect(meta.timings?.adapter_ms).toBeGreaterThan(0);
    expect(meta.cost).toMatchObject({
      tokens_in: expect.any(Number) as number,
      tokens_out: expect.any(Number) as number,
      upstream_requests: 1,
    });
    expect(JSON.stringify(meta)).not.toContain("nameWithOwner");
  });
});

describe("9) Typed GraphQL Adapter", () => {
  it("GraphQL operations of the GitHub pack are in .graphql files with few fields", () => {
    const folder = join(root, "packages/github/cards/documents");
    const documents = readdirSync(folder).filter((name) => name.endsWith(".graphql"));
    expect(documents.length).toBeGreaterThan(50);
    const view = readFileSync(join(folder, "repo-view.graphql"), "utf8");
    let asked = 0;
    visit(parseGraphql(view), {
      // Fields with a directive are requested only if the caller asks for them.
      Field: ({ directives = [] }) => (directives.length > 0 ? false : void (asked += 1)),
    });
    expect(asked).toBeGreaterThan(5);
    expect(asked).toBeLessThan(25);
  });
});

describe("10) gh CLI Adapter", () => {
  it("command words are passed to gh as a list, without a shell", async () => {
    const { waybill } = await openPack();
    const options = { route: "cli", dry_run: true } as const;
    const { data } = await waybill.execute("repo.view", HELLO, options);
    const [request] = (data as { requests: { command: string[] }[] }).requests;
    expect(request?.command.slice(-2)).toEqual(["--", "octo/hello"]);
  });
});

describe("12) Benchmarks and CI", () => {
  it("the agent benchmark has at least 60 scenarios, each with an id", () => {
    const scenarios = readScenarios();
    expect(scenarios.length).toBeGreaterThanOrEqual(60);
    for (const scenario of scenarios) expect(scenario.id).not.toBe("");
  });

  it.each(["ci", "gql:check", "benchmark:check", "coverage"])(
    "package.json has the script npm run %s",
    (name) => {
      expect(readScripts()[name]).toBeDefined();
    },
  );
});

describe("13) Security Considerations", () => {
  it("an answer and a dry run show no token", async () => {
    const { waybill, place } = await openPack();
    for (const route of ["graphql", "rest", "cli"] as const) {
      const result = await waybill.execute("repo.view", HELLO, { route, dry_run: true });
      expect(JSON.stringify(result)).not.toContain(String(place.ghToken));
    }
  });
});

describe("14) Rollout Plan", () => {
  it.each([
    ["repo.view", HELLO],
    ["issue.view", { ...HELLO, issueNumber: 1 }],
    ["issue.list", HELLO],
    ["pr.view", { ...HELLO, prNumber: 6 }],
    ["pr.list", HELLO],
  ])("all three routes answer %s", async (id, params) => {
    const { waybill } = await openPack();
    for (const route of ["graphql", "rest", "cli"] as const) {
      const { ok } = await waybill.execute(id, params, { route });
      expect([route, ok]).toEqual([route, true]);
    }
  });
});

describe("Appendix B: the shape of explain", () => {
  it("explain shows id, purpose, required inputs, routes and output fields", async () => {
    const { waybill } = await openPack();
    expect(await waybill.explain("issue.view")).toMatchObject({
      capability_id: "issue.view",
      purpose: "Show an issue",
      required_inputs: ["owner:string", "name:string", "issueNumber:integer"],
      preferred_route: "graphql",
      fallback_routes: ["rest", "cli"],
      output_fields: expect.arrayContaining(["title"]) as string[],
    });
  });
});
