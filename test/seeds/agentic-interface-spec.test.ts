import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadCards } from "@waybill/adapters/cards";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import { cardOperation, formatProblem } from "@waybill/core/cards";
import type { OperationCard, ResultEnvelope, Route, RouteType } from "@waybill/core";
import type { PreparedCard } from "@waybill/core/cards";
import { describe, expect, it, onTestFinished } from "vitest";
import { startEmbedded } from "../../packages/github/src/pack/fixtures/embedded.ts";
import { githubKit } from "../../packages/github/src/pack/kit.ts";
import { describeWithProgram } from "../support/programs.ts";

const DOCUMENT_PATH = "packages/adapters/graphql/src/operations/IssueView.graphql";
const DOCUMENT = `query IssueView($owner: String!, $repo: String!, $issue_number: Int!) {
  repository(owner: $owner, name: $repo) {
    issue(number: $issue_number) { id number title state url }
  }
}`;

/** Appendix A, as it is printed. */
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

async function run(card: PreparedCard, route: Route): Promise<ResultEnvelope> {
  const embedded = await startEmbedded();
  onTestFinished(() => embedded.close());
  const transport = createHttpTransport();
  onTestFinished(() => transport.close());
  const env = { PATH: process.env["PATH"], HOME: embedded.place.ghConfigDir ?? "" };
  const kit = githubKit(embedded.place, { env, transport, userAgent: "waybill-test" });
  const routes = kit.routes.filter((each) => each.route === route);
  const waybill = createWaybill({ operations: [cardOperation(card, { ...kit, routes })] });
  onTestFinished(() => waybill.close());
  return waybill.execute("issue.view", { owner: "octo", repo: "hello", issue_number: 1 });
}

describe("Appendix A: the example card", () => {
  it("loads as printed, and is a read because all it sends is a read", async () => {
    const { cards, problems } = await load(APPENDIX_A);
    expect(problems).toEqual([]);
    expect(cards).toMatchObject([{ id: "issue.view", effect: "read", order: ["graphql", "cli"] }]);
  });

  it("is a write when something it sends may change things", async () => {
    const { cards } = await load(APPENDIX_A.replace("issue view", "issue close"));
    expect(cards).toMatchObject([{ effect: "write" }]);
  });

  describeWithProgram("gh", () => {
    it.each(["graphql", "cli"] as const)("runs as printed by %s", async (route) => {
      const { cards } = await load(APPENDIX_A);
      const { ok, data, error } = await run(cards[0]!, route);
      expect(error).toBeNull();
      expect(ok).toBe(true);
      expect(data).toMatchObject({ number: 1, state: "OPEN", title: expect.any(String) as string });
      expect(Object.keys(data as object)).toEqual(["id", "number", "title", "state", "url"]);
    });
  });
});

describe("6.3 OperationCard schema: forms that are written differently here", () => {
  it.each([
    [
      "a rule that says when it applies",
      APPENDIX_A.replace(
        "fallbacks: [cli]",
        "fallbacks: [cli]\n  suitability: [{ when: env, predicate: env.offline, reason: x }]",
      ),
      "routing.suitability.0.when: is written as the route that the predicate prefers",
    ],
    [
      "several endpoints",
      `${APPENDIX_A}rest: { endpoints: [{ method: GET, path: /a }, { method: GET, path: /b }] }\n`,
      "rest.endpoints: must be one endpoint",
    ],
    [
      "jq",
      APPENDIX_A.replace("  jsonFields", "  jq: .title\n  jsonFields"),
      "cli.jq: is written as output, in JMESPath",
    ],
  ])("%s is refused with the form to use", async (_, card, sentence) => {
    const { cards, problems } = await load(card);
    expect(cards).toEqual([]);
    expect(problems.join("\n")).toContain(sentence);
  });

  it("one endpoint is accepted, and its answer is read by name", async () => {
    const rest = `rest: { endpoints: [{ method: GET, path: "/repos/{owner}/{repo}/issues/{issue_number}" }] }\n`;
    const { cards, problems } = await load(
      `${APPENDIX_A.replace("fallbacks: [cli]", "fallbacks: [rest, cli]")}${rest}`,
    );
    expect(problems).toEqual([]);
    const { data } = await run(cards[0]!, "rest");
    expect(data).toMatchObject({ number: 1, state: "open" });
  });
});

describe("6.3 OperationCard schema: names", () => {
  it("OperationCard and RouteType can be imported as the document names them", () => {
    const routes: RouteType[] = ["cli", "graphql", "rest"];
    const card: Pick<OperationCard, "capability_id" | "version"> = {
      capability_id: "issue.view",
      version: "1.0.0",
    };
    expect([routes.length, card.capability_id]).toEqual([3, "issue.view"]);
  });
});
