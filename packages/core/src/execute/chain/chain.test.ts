import { describe, expect, it } from "vitest";
import { prepareCard } from "../../cards/index.ts";
import type { Card, CardRequest, ChainStep, GraphqlRequest } from "../../cards/index.ts";
import { fail, httpEnvelope } from "../../envelope/index.ts";
import type { Issue } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import { cardOperation, memoryJournal } from "../../router/index.ts";
import type { CardRoute, RouteAnswer } from "../../router/index.ts";
import type { Source } from "../../source/index.ts";
import { createWaybill } from "../index.ts";
import type { ChainOptions, Waybill, WaybillOptions } from "../index.ts";

const text = { type: "string" } as const;
const documents = Object.fromEntries(
  (
    [
      ["IssueView", "query", ["number"]],
      ["IssueCreate", "mutation", ["repositoryId", "title"]],
      ["RepositoryId", "query", ["owner"]],
    ] as const
  ).map(([operationName, kind, names]) => [
    operationName,
    {
      operationName,
      kind,
      text: operationName,
      variables: names.map((name) => ({ name, required: true })),
    },
  ]),
);
const view: Card = {
  capability_id: "issue.view",
  version: "1.0.0",
  description: "Show an issue",
  effect: "read",
  input_schema: {
    type: "object",
    required: ["number"],
    properties: { number: { type: "integer" }, note: text },
  },
  output_schema: {
    type: "object",
    required: ["number"],
    properties: {
      number: { type: "integer" },
      author: { type: "object", properties: { login: text } },
    },
  },
  routing: { preferred: "graphql", fallbacks: [] },
  graphql: {
    operationName: "IssueView",
    documentPath: "IssueView",
    variables: { number: "number" },
    output: { number: "number", author: "author" },
  },
};
const create: Card = {
  ...view,
  capability_id: "issue.create",
  effect: "write",
  input_schema: {
    type: "object",
    required: ["owner", "title"],
    properties: { owner: text, title: text },
  },
  lookup: {
    repository: { document: "RepositoryId", variables: { owner: "owner" }, value: "id" },
  },
  graphql: {
    operationName: "IssueCreate",
    documentPath: "IssueCreate",
    variables: { repositoryId: "lookup.repository", title: "title" },
    output: { number: "number", author: "author" },
  },
};
const remove = defineOperation({
  id: "issue.delete",
  description: "Delete an issue",
  effect: "destructive",
  handler: () => null,
});

const nameOf = (request: CardRequest): string => (request as GraphqlRequest).operationName ?? "";

/** An upstream that creates issues, and the operations in each of its requests. */
function upstream() {
  const trips: string[][] = [];
  let issues = 0;
  const answer = (request: CardRequest, requests: number): RouteAnswer => {
    const { operationName, variables } = request as GraphqlRequest;
    const data =
      operationName === "RepositoryId"
        ? { id: "R_1" }
        : {
            number: operationName === "IssueCreate" ? (issues += 1) : variables["number"],
            author: { login: "ada" },
          };
    const meta = { statusCode: 200, headers: {}, contentType: "" };
    return { response: httpEnvelope(data, meta), upstreamRequests: requests };
  };
  const route: CardRoute = {
    route: "graphql",
    needs: [],
    async send(request, { beforeSend, effect }) {
      if (effect !== "read") await beforeSend();
      trips.push([nameOf(request)]);
      const { variables } = request as GraphqlRequest;
      if (variables["number"] === 404) throw fail("NOT_FOUND", "no such issue");
      return answer(request, 1);
    },
    canSendTogether: () => true,
    async sendTogether(requests, { beforeSend, effect }) {
      if (effect !== "read") await beforeSend();
      trips.push(requests.map(nameOf));
      return requests.map((request, index) => answer(request, index === 0 ? 1 : 0));
    },
    describe: (request) => ({ request }),
  };
  return { route, trips, issues: () => issues };
}

async function setup(
  options: WaybillOptions = {},
): Promise<ReturnType<typeof upstream> & { waybill: Waybill }> {
  const up = upstream();
  const cards = await Promise.all([view, create].map((card) => prepareCard(card, documents)));
  const operations = cards.map((card) => cardOperation(card, { routes: [up.route], host: "h" }));
  return { ...up, waybill: createWaybill({ operations: [...operations, remove], ...options }) };
}

const from = (path: string) => ({ task: "issue.view", input: { number: { $from: path } } });
const creation = (title: string) => ({ task: "issue.create", input: { owner: "octo", title } });

describe("requests of a chain", () => {
  it("a chain sends its reads in one merged request", async () => {
    const { waybill, trips } = await setup();
    const steps = Array.from({ length: 10 }, (_, number) => ({
      task: "issue.view",
      input: { number },
    }));
    const { status, results, meta } = await waybill.chain(steps);
    expect([status, trips.length, meta.upstream_requests]).toEqual(["success", 1, 1]);
    expect(results.map(({ data }) => (data as { number: number }).number)).toEqual(
      steps.map(({ input }) => input.number),
    );
    expect(results[3]!.meta).toMatchObject({ capability_id: "issue.view", route_used: "graphql" });
  });

  it("a chain merges its writes only with the option merge_writes, after one lookup for all of them", async () => {
    const steps = ["a", "b", "c"].map(creation);
    const apart = await setup();
    await apart.waybill.chain(steps);
    expect(apart.trips).toEqual([
      ["RepositoryId"],
      ["IssueCreate"],
      ["IssueCreate"],
      ["IssueCreate"],
    ]);
    const { waybill, trips } = await setup();
    const { meta } = await waybill.chain(steps, { merge_writes: true });
    expect(trips).toEqual([["RepositoryId"], ["IssueCreate", "IssueCreate", "IssueCreate"]]);
    expect(meta.upstream_requests).toBe(2);
  });

  it("a chain with on_error stop does not merge writes", async () => {
    const { waybill, trips } = await setup();
    await waybill.chain([creation("a"), creation("b")], { merge_writes: true, on_error: "stop" });
    expect(trips).toEqual([["RepositoryId"], ["IssueCreate"], ["IssueCreate"]]);
  });

  it("a step of a chain can use the whole result of an earlier step", async () => {
    const { waybill } = await setup();
    const { results } = await waybill.chain([
      { id: "made", ...creation("a") },
      { task: "issue.view", input: { number: { $from: "made.data.number" } } },
    ]);
    expect(results[1]!.data).toEqual({ number: 1, author: { login: "ada" } });
  });

  it("a failed step of a chain does not fail the other steps", async () => {
    const { waybill } = await setup();
    const { status, results } = await waybill.chain([
      { task: "issue.view", input: { number: 404 } },
      creation("a"),
      { task: "issue.delete" },
    ]);
    expect(status).toBe("partial");
    expect(results.map(({ error }) => error?.code)).toEqual(["NOT_FOUND", undefined, "POLICY"]);
  });
});

describe("approval of a step", () => {
  it("the approval code of a chain step applies only to that step", async () => {
    const { waybill } = await setup();
    const step = { task: "issue.delete" };
    const refused = (await waybill.chain([step])).results[0]!;
    const approve = String(refused.error?.details?.["approve"]);
    expect(refused.error?.details?.["hint"]).toContain("step with approve");
    const { results } = await waybill.chain([{ ...step, approve }, step]);
    expect(results.map(({ error }) => error?.code)).toEqual([undefined, "POLICY"]);
  });

  it("a chain step refuses an approval that is not a string", async () => {
    const { waybill } = await setup();
    const approve = true as unknown as string;
    const { results } = await waybill.chain([{ task: "issue.delete", approve }]);
    expect(results[0]!.error?.message).toContain("/approve must be a string");
  });
});

describe("checks before a chain is sent", () => {
  it.each([
    ["a wrong input", { task: "issue.view", input: { number: "seven" } }, "VALIDATION"],
    ["a missing input", { task: "issue.view" }, "VALIDATION"],
    ["an unknown input", { task: "issue.view", input: { numbr: 1 } }, "VALIDATION"],
    ["an unknown task", { task: "issue.vew", input: { number: 1 } }, "NOT_FOUND"],
    [
      "a wrong input beside a reference",
      { task: "issue.view", input: { number: "seven", note: { $from: "s0.data.author.login" } } },
      "VALIDATION",
    ],
  ] as const)(
    "a chain with on_error stop sends nothing if it finds %s",
    async (_what, step, code) => {
      const { waybill, trips } = await setup();
      const { results } = await waybill.chain([creation("a"), step], { on_error: "stop" });
      expect(results.map(({ error }) => error?.code)).toEqual(["CANCELLED", code]);
      expect(results[0]!.error?.details).toEqual({ outcome: "not_applied" });
      expect(trips).toEqual([]);
    },
  );

  it("a chain converts the input of a step as a single call does", async () => {
    const { waybill } = await setup();
    const note = { $from: "s0.data.author.login" };
    const { status } = await waybill.chain([
      { task: "issue.view", input: { number: "1" } },
      { task: "issue.view", input: { number: "2", note } },
    ]);
    expect(status).toBe("success");
  });

  it("a chain refuses a reference to a field that the output schema lacks, and suggests the nearest name", async () => {
    const { waybill, trips } = await setup();
    const { results } = await waybill.chain(
      [creation("a"), from("s0.data.numbr"), from("s0.data.author.logn"), from("s0.data.number.x")],
      { on_error: "stop" },
    );
    expect(trips).toEqual([]);
    expect(results[1]!.error).toMatchObject({
      code: "VALIDATION",
      message: "s0.data.numbr does not exist: there is no numbr",
      details: { did_you_mean: ["number"] },
    });
    expect(results[2]!.error?.details).toMatchObject({ did_you_mean: ["login"] });
    expect(results[3]!.error?.code).toBe("CANCELLED");
  });

  it.each([
    [{ wehn: "`false`" }, "/1/wehn", "when"],
    [{ idempotencyKey: "k" }, "/1/idempotencyKey", "idempotency_key"],
  ])(
    "a chain refuses a misspelt member of a step and suggests the nearest member: %j",
    async (stray, path, near) => {
      const { waybill, trips } = await setup();
      const { status, error } = await waybill.chain([
        creation("a"),
        { ...creation("b"), ...stray },
      ]);
      expect([status, error?.code, trips]).toEqual(["failed", "VALIDATION", []]);
      expect(error?.message).toContain(`did you mean ${near}?`);
      expect(error?.details?.["issues"]).toEqual([
        { path, message: "is not a member of a step", did_you_mean: near },
      ]);
    },
  );

  it("a chain refuses an unknown member of a step, and the error lists all allowed members", async () => {
    const { waybill } = await setup();
    const { error } = await waybill.chain([Object.assign(creation("a"), { zzz: 1 })]);
    expect(error?.message).toContain("a step has id, task, params, input");
    const [issue] = (error?.details?.["issues"] ?? []) as Issue[];
    expect(issue).toMatchObject({ path: "/0/zzz", message: "is not a member of a step" });
    expect(issue?.allowed?.slice(0, 4)).toEqual(["id", "task", "params", "input"]);
  });

  it("select of a chain step shortens its result, and other steps still see the whole result", async () => {
    const { waybill } = await setup();
    const seen = {
      id: "seen",
      task: "issue.view",
      input: { number: 7 },
      select: ["number", "gone"],
    };
    const owner = { $from: "seen.data.author.login" };
    const made = { task: "issue.create", input: { owner, title: "Made" } };
    const { status, results } = await waybill.chain([seen, made]);
    expect(status).toBe("success");
    expect(results[0]!.data).toEqual({ number: 7 });
    expect(results[0]!.meta.warnings?.[0]).toMatch(/^nothing to select at gone; there is .*number/);
  });

  it('select "none" hides the result of a chain step, and an empty select shows the whole result', async () => {
    const { waybill } = await setup();
    const step = { task: "issue.view", input: { number: 7 } };
    const { results } = await waybill.chain([
      { ...step, select: "none" },
      { ...step, select: [] },
    ]);
    expect(results.map(({ data }) => data)).toEqual([null, expect.objectContaining({ number: 7 })]);
  });

  it("select of a chain step can be one string with commas", async () => {
    const { waybill } = await setup();
    const step = { task: "issue.view", input: { number: 7 }, select: "number, author.login" };
    const { results } = await waybill.chain([step]);
    expect(results[0]?.data).toEqual({
      number: 7,
      author: { login: expect.any(String) as string },
    });
  });

  it.each([[7], [[7]], [{}]])("a chain refuses a step with the select %j", async (select) => {
    const { waybill, trips } = await setup();
    const step = { ...creation("a"), select } as unknown as ChainStep;
    const { error } = await waybill.chain([step]);
    expect([error?.code, trips]).toEqual(["VALIDATION", []]);
    expect(error?.details?.["issues"]).toMatchObject([{ path: "/0/select" }]);
  });

  it("a chain without steps or with more than 100 steps is refused", async () => {
    const { waybill } = await setup();
    const many = Array.from({ length: 101 }, () => ({ task: "issue.view", input: { number: 1 } }));
    for (const steps of [[], many]) {
      const { status, error, results } = await waybill.chain(steps);
      expect([status, error?.code, results]).toEqual(["failed", "VALIDATION", []]);
    }
  });
});

describe("chains that cannot start", () => {
  const one = [{ task: "issue.view", input: { number: 1 } }];
  it.each([["x"], [7], [["stop"]]])(
    "a chain with the options %j returns VALIDATION",
    async (options) => {
      const { waybill } = await setup();
      const { error } = await waybill.chain(one, options as unknown as ChainOptions);
      expect(error).toMatchObject({
        code: "VALIDATION",
        message: expect.stringContaining("an object") as unknown,
      });
    },
  );

  it("a chain with null as its options runs", async () => {
    const { waybill } = await setup();
    const none = null as unknown as ChainOptions;
    expect((await waybill.chain(one, none)).status).toBe("success");
  });

  it("a chain whose options or steps cannot be read returns VALIDATION", async () => {
    const { waybill, trips } = await setup();
    const trap = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("trap");
        },
      },
    );
    expect((await waybill.chain([creation("a")], trap)).error?.code).toBe("VALIDATION");
    expect((await waybill.chain([trap as ChainStep])).status).toBe("failed");
    expect((await waybill.chain(null as unknown as ChainStep[])).error?.code).toBe("VALIDATION");
    expect(trips).toEqual([]);
  });

  it("a chain of a closed Waybill returns NOT_READY", async () => {
    const source: Source = {
      name: "late",
      list: async () => [],
      describe: () => remove.spec,
      runOf: () => ({ kind: "local", handler: () => null }),
      close: async () => {},
    };
    const waybill = createWaybill({ sources: [source] });
    await waybill.close();
    const { status, error } = await waybill.chain([{ task: "issue.delete" }]);
    expect([status, error?.code, error?.message]).toEqual([
      "failed",
      "NOT_READY",
      "This Waybill is closed; create a new one",
    ]);
  });

  it("a chain waits for a source only until its deadline", async () => {
    const source: Source = {
      name: "slow",
      list: () => new Promise(() => {}),
      describe: () => remove.spec,
      runOf: () => ({ kind: "local", handler: () => null }),
      close: async () => {},
    };
    const { error } = await createWaybill({ sources: [source] }).chain([{ task: "issue.delete" }], {
      deadline_ms: 20,
    });
    expect(error?.code).toBe("TIMEOUT");
  });
});

describe("options of a chain", () => {
  it.each([
    [{ on_error: "halt" }, "/on_error must be one of continue, stop"],
    [{ merge_writes: "yes" }, "/merge_writes must be true or false"],
    [{ onerror: "stop" }, "/onerror is not an option of a chain"],
    [{ select: ["a"] }, "/select is not an option of a chain"],
    [{ deadline_ms: -1 }, "/deadline_ms must be a number above 0"],
  ])(
    "a chain returns VALIDATION for the options %j and sends nothing",
    async (options, message) => {
      const { waybill, trips } = await setup();
      const { status, error } = await waybill.chain([creation("a")], options as ChainOptions);
      expect([status, error?.code, trips]).toEqual(["failed", "VALIDATION", []]);
      expect(error?.message).toContain(message);
    },
  );

  it("each write of a chain gets a key made of the chain's key and the step id, unless it has a key", async () => {
    const { waybill, issues } = await setup({ journal: memoryJournal() });
    const steps = [creation("a"), { ...creation("b"), idempotency_key: "own" }];
    await waybill.chain(steps, { idempotency_key: "k" });
    const again = await waybill.chain(steps, { idempotency_key: "k" });
    expect(again.results.map(({ meta }) => meta.replayed)).toEqual([true, true]);
    const alone = async (idempotency_key: string, title: string) =>
      (await waybill.execute("issue.create", { owner: "octo", title }, { idempotency_key })).meta;
    expect((await alone("k/s0", "a")).replayed).toBe(true);
    expect((await alone("own", "b")).replayed).toBe(true);
    expect(issues()).toBe(2);
  });

  it("a dry run of a chain shows what would be sent, with placeholders for unknown values", async () => {
    const { waybill, trips } = await setup();
    const { results } = await waybill.chain([creation("a")], { dry_run: true });
    expect(results[0]!.data).toMatchObject({
      requests: [
        { request: { operationName: "RepositoryId" } },
        { request: { variables: { repositoryId: { $pending: "lookup.repository" }, title: "a" } } },
      ],
    });
    expect(trips).toEqual([]);
  });

  it("a dry run of a chain shows steps that depend on other steps, with placeholders", async () => {
    const { waybill, trips } = await setup();
    const { results, status } = await waybill.chain(
      [
        { id: "made", ...creation("a") },
        from("made.data.number"),
        { task: "issue.view", input: { number: { $from: "length(made.data.title)" } } },
        { task: "issue.view", when: "made.ok", input: { number: 1 } },
        { task: "issue.view", input: { number: "x" } },
      ],
      { dry_run: true },
    );
    expect([status, trips]).toEqual(["partial", []]);
    const shown = results.map(({ data }) => JSON.stringify(data));
    expect(shown[1]).toContain('{"$pending":"made.data.number"}');
    expect(shown[2]).toContain('{"$pending":"length(made.data.title)"}');
    expect(results[3]!.meta.warnings).toEqual(["sent only if made.ok is true"]);
    expect(results[4]!.error?.code).toBe("VALIDATION");
  });

  it("the option trace of a chain applies to each step", async () => {
    const { waybill } = await setup();
    const { results } = await waybill.chain([creation("a")], { trace: true });
    expect(results[0]!.meta.cost?.upstream_requests).toBe(2);
  });

  it("the deadline and the signal of a chain apply to the whole chain", async () => {
    const { waybill, trips } = await setup();
    const gone = await waybill.chain([creation("a"), creation("b")], {
      signal: AbortSignal.abort(),
    });
    expect(gone.results.map(({ error }) => error?.code)).toEqual(["CANCELLED", "CANCELLED"]);
    expect(trips).toEqual([]);
    const slow = defineOperation({
      id: "clock.wait",
      description: "Wait",
      handler: () => new Promise((resolve) => setTimeout(resolve, 30)),
    });
    const one = createWaybill({ operations: [slow] });
    const steps = Array.from({ length: 10 }, () => ({ task: "clock.wait" }));
    const late = await one.chain(steps, { deadline_ms: 100 });
    expect(late.results.at(-1)!.error?.code).toBe("TIMEOUT");
  });
});
