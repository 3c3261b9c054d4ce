import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import type { Policy, Waybill } from "@waybill/core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";
import { githubGraphqlSource } from "./graphql-source.ts";

const transport = createHttpTransport();
let embedded: Embedded;

beforeAll(async () => {
  embedded = await startEmbedded();
});

afterAll(async () => {
  await embedded.close();
  transport.close();
});

function open(policy: Policy = {}): Waybill {
  const around = { env: {}, transport, userAgent: "waybill-test" };
  const sources = [githubGraphqlSource(embedded.place, around)];
  const waybill = createWaybill({ sources, policy });
  onTestFinished(() => waybill.close());
  return waybill;
}

const ISSUE = `query Issue($number: Int!) {
  repository(owner: "octo", name: "hello") { issue(number: $number) { id title } }
}`;

async function issueId(waybill: Waybill): Promise<string> {
  const { data } = await waybill.execute("github.graphql", {
    document: ISSUE,
    variables: { number: 1 },
  });
  return (data as { repository: { issue: { id: string } } }).repository.issue.id;
}

const CLOSE = "mutation ($id: ID!) { closeIssue(input: {issueId: $id}) { issue { state } } }";
const DELETE = "mutation ($id: ID!) { deleteIssue(input: {issueId: $id}) { repository { name } } }";

describe("github.graphql", () => {
  it("github.graphql answers a GraphQL query with variables", async () => {
    const result = await open().execute("github.graphql", {
      document: ISSUE,
      variables: { number: 1 },
    });
    expect(result).toMatchObject({
      ok: true,
      data: { repository: { issue: { title: "Greeting fails on empty names" } } },
      meta: { route_used: "graphql" },
    });
  });

  it("github.graphql accepts the document as query, without an operation name", async () => {
    const { data } = await open().execute("github.graphql", { query: "{ viewer { login } }" });
    expect(data).toEqual({ viewer: { login: "octocat" } });
  });

  it("github.graphql returns VALIDATION for a field that GitHub does not have", async () => {
    const { error } = await open().execute("github.graphql", { query: "{ viewer { logn } }" });
    expect(error).toMatchObject({ code: "VALIDATION", retryable: false });
    expect(error?.message).toContain("Field 'logn' doesn't exist on type 'User'");
  });

  it("github.graphql runs the operation that operationName names", async () => {
    const document = "query A { viewer { login } } query B { viewer { name } }";
    const { data } = await open().execute("github.graphql", { document, operationName: "B" });
    expect(data).toEqual({ viewer: { name: "The Octocat" } });
  });

  it("github.graphql.mutate applies a mutation once", async () => {
    const waybill = open();
    const before = embedded.github.applied()["closeIssue"] ?? 0;
    const id = await issueId(waybill);
    const result = await waybill.execute("github.graphql.mutate", {
      document: CLOSE,
      variables: { id },
    });
    expect(result).toMatchObject({
      ok: true,
      data: { closeIssue: { issue: { state: "CLOSED" } } },
    });
    expect(embedded.github.applied()["closeIssue"]).toBe(before + 1);
  });

  it("github.graphql.delete needs approval for a mutation that deletes", async () => {
    const waybill = open();
    const params = { document: DELETE, variables: { id: await issueId(waybill) } };
    const { error } = await waybill.execute("github.graphql.delete", params);
    expect(error).toMatchObject({
      code: "POLICY",
      message: expect.stringContaining("approv") as string,
    });
    expect(embedded.github.applied()["deleteIssue"]).toBeUndefined();
  });

  it.each([
    ["github.graphql", CLOSE, "github.graphql.mutate"],
    ["github.graphql", DELETE, "github.graphql.delete"],
    ["github.graphql.mutate", DELETE, "github.graphql.delete"],
    ["github.graphql.mutate", "{ viewer { login } }", "github.graphql"],
    [
      "github.graphql",
      "mutation { ...F } fragment F on Mutation { deleteRef(input: {refId: 1}) { clientMutationId } }",
      "github.graphql.delete",
    ],
  ])("%s rejects the document %j and names the capability to use", async (id, document, right) => {
    const { error } = await open().execute(id, { document });
    expect(error).toMatchObject({
      code: "VALIDATION",
      details: { did_you_mean: [right] },
    });
  });

  it.each([
    ["{ viewer", "Syntax Error"],
    ["query A { viewer { login } } query B { viewer { login } }", "A, B"],
    ["subscription { x }", "subscriptions"],
    ["fragment F on User { login }", "none"],
  ])("github.graphql rejects the GraphQL document %j", async (document, words) => {
    const { error } = await open().execute("github.graphql", { document });
    expect(error).toMatchObject({ code: "VALIDATION" });
    expect(error?.message).toContain(words);
  });

  it("github.graphql.mutate does not report not_applied if one of several mutations fails", async () => {
    const waybill = open();
    const id = await issueId(waybill);
    const document = `mutation ($id: ID!) {
      one: closeIssue(input: {issueId: $id}) { issue { state } }
      two: closeIssue(input: {issueId: "nothing"}) { issue { state } }
    }`;
    const result = await waybill.execute("github.graphql.mutate", { document, variables: { id } });
    expect(result.error?.details?.outcome ?? "applied").not.toBe("not_applied");
  });

  it.each([{ read_only: true }, { allow: ["*"] }, { deny: ["issue.*"] }])(
    "github.graphql is denied under the policy %j",
    async (policy) => {
      const { error } = await open(policy).execute("github.graphql", {
        document: "{ viewer { login } }",
      });
      expect(error?.code).toBe("POLICY");
    },
  );

  it("github.graphql is allowed if policy.raw names it", async () => {
    const waybill = open({ read_only: true, raw: ["github.graphql"] });
    const { ok } = await waybill.execute("github.graphql", { document: "{ viewer { login } }" });
    expect(ok).toBe(true);
  });
});
