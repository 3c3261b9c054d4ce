import type { ResultEnvelope, Waybill } from "@waybill/core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { describeWithProgram } from "../../../../test/support/programs.ts";
import type { Fault } from "../emulator/index.ts";
import { cards } from "./cards.ts";
import { cases } from "./fixtures/cases/index.ts";
import type { ParityCase } from "./fixtures/cases/index.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";

type CardRouteName = "graphql" | "rest" | "cli";

const FAULTS: Readonly<Record<string, Fault>> = {
  "a missing thing": { kind: "status", status: 404, times: 100 },
  "a refused request": { kind: "status", status: 422, times: 100 },
  "a server error": { kind: "status", status: 500, times: 100 },
  "a lost connection": { kind: "drop", times: 100 },
  "a page that is not JSON": { kind: "garbage", times: 100 },
  "half an answer": { kind: "cut", times: 100 },
};

const HELLO = { owner: "octo", name: "hello" };

const TRANSPORT_WORDS = /"(?:phase|reusedSocket|body|status|documentation_url|extensions)":/u;

/** One call of each card. */
const calls = [...new Map(cases.map((each) => [each.id, each])).values()];

let embedded: Embedded;
let routes: Readonly<Record<CardRouteName, Waybill>>;
beforeAll(async () => {
  embedded = await startEmbedded({ waybill: { retry: { maxAttempts: 1 } } });
  const [graphql, rest, cli] = [embedded.by("graphql"), embedded.by("rest"), embedded.by("cli")];
  routes = { graphql, rest, cli };
});
afterEach(() => embedded.reset());
afterAll(() => embedded.close());

function readParams({ params }: ParityCase): Record<string, unknown> {
  return { ...(typeof params === "function" ? params(embedded.github) : params) };
}

async function fails(
  each: ParityCase,
  route: CardRouteName,
  fault: Fault,
): Promise<ResultEnvelope> {
  const { faults } = embedded.github;
  faults.inject(fault);
  const result = await routes[route].execute(each.id, readParams(each));
  faults.clear();
  return result;
}

function has(id: string, route: CardRouteName): boolean {
  return cards.cardById(id)?.order.includes(route) === true;
}

/** The problems of an error message; empty if it uses the card's own terms. */
function complaints({ error, meta }: ResultEnvelope): string[] {
  if (error === null) return [];
  const text = JSON.stringify(error);
  const isOdd = TRANSPORT_WORDS.test(text) || meta.attempts === undefined;
  return isOdd ? [`${meta.capability_id}: ${text}`] : [];
}

describe("transport details in the errors of cards", () => {
  it.each(Object.entries(FAULTS))(
    "an error of a GitHub card contains no transport details such as status and body after %s, on the graphql and rest routes",
    async (_, fault) => {
      const found: string[] = [];
      for (const route of ["graphql", "rest"] as const) {
        for (const each of calls.filter(({ id }) => has(id, route))) {
          found.push(...complaints(await fails(each, route, fault)));
        }
      }
      expect(found).toEqual([]);
    },
  );

  describeWithProgram("gh", () => {
    it.each(Object.entries(FAULTS))(
      "an error of a GitHub card contains no transport details such as status and body after %s, on the gh route",
      async (_, fault) => {
        const some = calls.filter(({ id }, place) => has(id, "cli") && place % 12 === 0);
        const found: string[] = [];
        for (const each of some) found.push(...complaints(await fails(each, "cli", fault)));
        expect(found).toEqual([]);
      },
    );
  });
});

/**
 * Calls about every kind of object that does not exist, and the name that the error must contain.
 */
const MISSING: readonly (readonly [id: string, params: object, name: string])[] = [
  ["repo.view", { owner: "octo", name: "nope" }, "Repository octo/nope"],
  ["issue.view", { ...HELLO, issueNumber: 99_999 }, "Issue octo/hello#99999"],
  ["issue.comments.list", { ...HELLO, issueNumber: 99_999 }, "Issue octo/hello#99999"],
  ["issue.close", { ...HELLO, issueNumber: 99_999 }, "Issue octo/hello#99999"],
  ["pr.view", { ...HELLO, prNumber: 99_999 }, "Pull request octo/hello#99999"],
  ["pr.merge", { ...HELLO, prNumber: 99_999 }, "Pull request octo/hello#99999"],
  ["discussion.view", { ...HELLO, discussionNumber: 99_999 }, "Discussion octo/hello#99999"],
  ["label.delete", { ...HELLO, label: "nope" }, "Label nope of octo/hello"],
  ["branch.delete", { ...HELLO, branch: "nope" }, "Branch nope of octo/hello"],
  ["release.view", { ...HELLO, tagName: "v99" }, "Release v99 of octo/hello"],
  ["workflow.view", { ...HELLO, workflowId: "nope.yml" }, "Workflow nope.yml of octo/hello"],
  ["workflow.run.view", { ...HELLO, runId: 99_999 }, "Workflow run 99999 of octo/hello"],
  ["workflow.job.logs.raw", { ...HELLO, jobId: 99_999 }, "Job 99999 of octo/hello"],
  ["variable.delete", { ...HELLO, variable: "NOPE" }, "Variable NOPE of octo/hello"],
  ["secret.delete", { ...HELLO, secret: "NOPE" }, "Secret NOPE of octo/hello"],
  ["project_v2.user.view", { user: "octocat", projectNumber: 99 }, "Project 99"],
  ["user.view", { login: "nobody-here" }, "nobody-here"],
  ["issue.create", { ...HELLO, title: "T", assignees: ["nobody-here"] }, "User nobody-here"],
  [
    "issue.relations.children.move",
    { ...HELLO, issueNumber: 1, childNumber: 99_999, afterNumber: 2 },
    "Issue octo/hello#99999",
  ],
  [
    "issue.relations.parent.set",
    { ...HELLO, issueNumber: 1, parentIssueNumber: 99_999 },
    "Issue octo/hello#99999",
  ],
  [
    "pr.reviews.pending.submit",
    { ...HELLO, prNumber: 6, event: "COMMENT", body: "b" },
    "Pending review of octo/hello#6",
  ],
  ["file.view", { ...HELLO, path: "nope.txt" }, "nope.txt"],
  ["commit.view", { ...HELLO, ref: "0123456789012345678901234567890123456789" }, "0123456789"],
];

describe("NOT_FOUND", () => {
  it.each(MISSING)(
    "%s %j returns NOT_FOUND on the graphql and rest routes, and the error names %s",
    async (id, params, name) => {
      for (const route of (["graphql", "rest"] as const).filter((each) => has(id, each))) {
        const { error } = await routes[route].execute(id, params);
        const { owner, name: repo } = params as Partial<typeof HELLO>;
        const details = owner === undefined ? {} : { owner, repo };
        expect([route, error]).toMatchObject([route, { code: "NOT_FOUND", retryable: false }]);
        expect([route, error?.message.includes(name)]).toEqual([route, true]);
        expect(error?.details ?? {}).toMatchObject(details);
      }
    },
  );

  it("every GitHub card with a repository input names a missing repository in its error", async () => {
    const found: string[] = [];
    for (const each of calls) {
      const params = readParams(each);
      if (typeof params["owner"] !== "string" || typeof params["name"] !== "string") continue;
      for (const route of (["graphql", "rest"] as const).filter((one) => has(each.id, one))) {
        const { error } = await routes[route].execute(each.id, { ...params, name: "nope" });
        const { owner, repo } = error?.details ?? {};
        const isNamed =
          error?.code === "NOT_FOUND" &&
          error.message.includes(`${params["owner"]}/nope`) &&
          owner === params["owner"] &&
          repo === "nope";
        if (!isNamed && error?.code !== "ADAPTER_UNSUPPORTED")
          found.push(`${each.id} on ${route}: ${JSON.stringify(error)}`);
      }
    }
    expect(found).toEqual([]);
  });

  describeWithProgram("gh", () => {
    it.each(MISSING.filter((_, place) => place % 3 === 0))(
      "%s %j returns NOT_FOUND on the gh route, and the error names %s",
      async (...call) => {
        const [id, params, name] = call;
        if (!has(id, "cli")) return;
        const { error } = await routes.cli.execute(id, params);
        expect(error).toMatchObject({ code: "NOT_FOUND" });
        expect(error?.message).toContain(name);
      },
    );
  });
});
