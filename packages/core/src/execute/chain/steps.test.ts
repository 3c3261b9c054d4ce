import { describe, expect, it } from "vitest";
import { prepareCard } from "../../cards/index.ts";
import type { Card, CardStep } from "../../cards/index.ts";
import { fail, httpEnvelope } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import { cardOperation, memoryJournal } from "../../router/index.ts";
import type { CardRoute } from "../../router/index.ts";
import { localSource } from "../../source/index.ts";
import { OperationRegistry, createWaybill } from "../index.ts";
import type { CallRecord, WaybillOptions } from "../index.ts";

const text = { type: "string" } as const;
const integer = { type: "integer" } as const;

const report: Card = {
  capability_id: "bug.report",
  version: "1.0.0",
  description: "Open an issue, say hello in it and label it",
  effect: "write",
  input_schema: {
    type: "object",
    required: ["title"],
    properties: { title: text, body: text, label: text },
  },
  output_schema: {
    type: "object",
    required: ["number", "comment"],
    properties: { number: integer, comment: text, labelled: {} },
  },
  steps: [
    {
      id: "made",
      task: "issue.create",
      params: { title: { $from: "params.title" }, body: { $from: "params.body" } },
    },
    {
      id: "said",
      task: "issue.comment",
      input: {
        number: { $from: "made.data.number" },
        body: { $text: "Hello {{params.title}}, you are #{{made.data.number}}" },
      },
    },
    {
      id: "labelled",
      task: "issue.label",
      when: "params.label",
      input: { number: { $from: "made.data.number" }, label: { $from: "params.label" } },
    },
  ],
  output: {
    number: "made.data.number",
    comment: "said.data.body",
    labelled: "labelled.data.label",
  },
};

type Behaviour = (body: Record<string, unknown>) => unknown;

interface World {
  readonly create?: Behaviour;
  readonly comment?: Behaviour;
  readonly label?: Behaviour;
}

function task(id: string, names: readonly string[], more: Partial<Card> = {}): Card {
  const properties = { title: text, body: text, number: integer, label: text };
  const input = Object.entries(properties).filter(([name]) => names.includes(name));
  return {
    capability_id: id,
    version: "1.0.0",
    description: `Does ${id}`,
    effect: "write",
    input_schema: {
      type: "object",
      required: names.filter((name) => name !== "body" || id !== "issue.create"),
      properties: Object.fromEntries(input),
    },
    output_schema: { type: "object", properties: { number: integer, body: text, label: text } },
    routing: { preferred: "rest", fallbacks: [] },
    rest: {
      method: "POST",
      path: `/${id}`,
      body: Object.fromEntries(names.map((name) => [name, name])),
      output: { fields: { number: "number", body: "body", label: "label" } },
    },
    ...more,
  };
}

async function setup(world: World = {}, options: WaybillOptions = {}, cards: Card[] = [report]) {
  const sent: string[] = [];
  const behaviours: Record<string, Behaviour> = {
    "/issue.create": world.create ?? ((body) => ({ number: 7, ...body })),
    "/issue.comment": world.comment ?? ((body) => body),
    "/issue.label": world.label ?? ((body) => body),
    "/issue.tag": world.label ?? ((body) => body),
    "/issue.view": () => ({ number: 7 }),
  };
  const route: CardRoute = {
    route: "rest",
    needs: [],
    async send(request, attempt) {
      if (request.kind !== "rest") throw new Error(request.kind);
      await attempt.beforeSend();
      sent.push(`${request.path} ${JSON.stringify(request.body)}`);
      const data = behaviours[request.path]!(request.body as Record<string, unknown>);
      if (data instanceof Error) throw data;
      const meta = { statusCode: 200, headers: {}, contentType: "" };
      return { response: httpEnvelope(data, meta), upstreamRequests: 1 };
    },
    describe: (request) => request,
  };
  const all = [
    task("issue.create", ["title", "body"]),
    task("issue.comment", ["number", "body"]),
    task("issue.label", ["number", "label"]),
    task("issue.view", ["number"], { effect: "read" }),
    ...cards,
  ];
  const prepared = await Promise.all(all.map((card) => prepareCard(card)));
  const operations = prepared.map((card) => cardOperation(card, { routes: [route], host: "h" }));
  const retry = { baseDelayMs: 0 };
  return { waybill: createWaybill({ operations, retry, ...options }), sent, operations };
}

const lost: Behaviour = () => fail("NETWORK", "connection lost", { outcome: "unknown" });
const down: Behaviour = () => fail("NETWORK", "refused", { outcome: "not_applied" });
const refused: Behaviour = () => fail("VALIDATION", "no such label", { outcome: "not_applied" });

/** The same card with another id and other steps. */
function made(id: string, steps: CardStep[], more: Partial<Card> = {}): Card {
  return { ...report, capability_id: id, steps, output: {}, output_schema: true, ...more };
}

describe("cards of steps", () => {
  it("a card of steps calls its steps in turn and returns one answer", async () => {
    const { waybill, sent } = await setup();
    const { data, meta, ok } = await waybill.execute("bug.report", { title: "T", label: "bug" });
    expect([ok, data]).toEqual([
      true,
      { number: 7, comment: "Hello T, you are #7", labelled: "bug" },
    ]);
    expect(meta).toMatchObject({ route_used: "local", reason: "DEFAULT_POLICY" });
    // The caller passed no body, so none is sent.
    expect(sent).toEqual([
      '/issue.create {"title":"T"}',
      '/issue.comment {"number":7,"body":"Hello T, you are #7"}',
      '/issue.label {"number":7,"label":"bug"}',
    ]);
  });

  it("a card of steps skips a step whose condition does not hold", async () => {
    const { waybill, sent } = await setup();
    const { data, meta } = await waybill.execute("bug.report", { title: "T" });
    expect(data).toEqual({ number: 7, comment: "Hello T, you are #7", labelled: null });
    expect(meta.warnings?.join()).not.toContain("left out");
    expect(sent).toHaveLength(2);
  });

  it("a card of steps keeps the warnings of a step if a later step fails", async () => {
    const { waybill } = await setup({ create: () => ({ number: 7 }), comment: refused });
    const { error, meta } = await waybill.execute("bug.report", { title: "T" });
    expect(error?.details).toMatchObject({ step: "said", outcome: "applied" });
    expect(meta.warnings).toEqual([
      "made: the rest answer has no body",
      "made: the rest answer has no label",
    ]);
  });

  it("a card of steps warns of missing output fields and passes on the warnings of its steps", async () => {
    const card = made("bug.odd", [{ id: "made", task: "issue.create", input: { title: "T" } }], {
      output: { number: "made.data.number", who: "made.data.author" },
    });
    const { waybill } = await setup({ create: () => ({ number: 7 }) }, {}, [card]);
    const { meta } = await waybill.execute("bug.odd", { title: "T" });
    expect(meta.warnings).toEqual([
      "made: the rest answer has no body",
      "made: the rest answer has no label",
      "the answers of the steps have no value for who",
    ]);
  });

  it("a card of steps with trace returns the attempts and costs of all its steps", async () => {
    const { waybill } = await setup();
    const { meta } = await waybill.execute("bug.report", { title: "T" }, { trace: true });
    expect(meta.attempts).toMatchObject([{ route: "rest" }, { route: "rest" }]);
    expect(meta.cost?.upstream_requests).toBe(2);
  });

  it("explain returns the effect, the inputs and the route local for a card of steps", async () => {
    const { waybill } = await setup();
    expect(await waybill.explain("bug.report")).toMatchObject({
      effect: "write",
      required_inputs: ["title:string"],
      preferred_route: "local",
      fallback_routes: [],
    });
  });

  it("an observer gets a record of each step and of the card, with the caller's identity", async () => {
    const records: CallRecord[] = [];
    const { waybill } = await setup({}, { observer: { onCall: (one) => records.push(one) } });
    await waybill.as({ id: "ada", scopes: [] }).execute("bug.report", { title: "T" });
    expect(records.map(({ capability_id, identity }) => [capability_id, identity?.id])).toEqual([
      ["issue.create", "ada"],
      ["issue.comment", "ada"],
      ["bug.report", "ada"],
    ]);
  });

  it("a card of steps runs as a step of a chain in the order of the steps", async () => {
    const { waybill, sent } = await setup();
    const { results, meta } = await waybill.chain([
      { id: "bug", task: "bug.report", input: { title: "T" } },
      { task: "issue.comment", input: { number: { $from: "bug.data.number" }, body: "more" } },
      { task: "issue.create", input: { title: "after" } },
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(meta.upstream_requests).toBe(4);
    expect(sent.map((line) => line.split(" ")[0])).toEqual([
      "/issue.create",
      "/issue.comment",
      "/issue.comment",
      "/issue.create",
    ]);
  });

  it("a card of steps runs inside a handler and inside another card", async () => {
    const outer = made(
      "bug.twice",
      [
        { id: "one", task: "bug.report", input: { title: "a" } },
        { id: "two", task: "bug.report", input: { title: { $text: "b{{one.data.number}}" } } },
      ],
      { output: "two.data.comment" },
    );
    const { waybill, operations } = await setup({}, {}, [report, outer]);
    expect((await waybill.execute("bug.twice", { title: "" })).data).toBe("Hello b7, you are #7");
    const nested = defineOperation({
      id: "my.own",
      description: "Calls a card",
      handler: async (_input, context) => (await context.call("bug.twice", { title: "" })).data,
    });
    const all = createWaybill({ operations: [nested], sources: [localSource("s", operations)] });
    await all.list_capabilities();
    expect((await all.execute("my.own")).data).toBe("Hello b7, you are #7");
  });

  it("a card of steps finds tasks in sources that are not loaded yet", async () => {
    const { operations } = await setup();
    const own = operations.filter(({ spec }) => spec.id === "bug.report");
    const others = operations.filter(({ spec }) => spec.id !== "bug.report");
    const one = createWaybill({ operations: own, sources: [localSource("s", others)] });
    expect((await one.execute("bug.report", { title: "T" })).ok).toBe(true);
  });
});

describe("outcome of a card of steps", () => {
  it("a card of steps whose first write was refused has the outcome not_applied", async () => {
    const { waybill, sent } = await setup({ create: refused });
    const { error } = await waybill.execute("bug.report", { title: "T" });
    expect(error).toMatchObject({
      code: "VALIDATION",
      message: "bug.report, step made: no such label",
      details: { outcome: "not_applied", step: "made" },
    });
    expect(error?.details).not.toHaveProperty("partial");
    expect(sent).toHaveLength(1);
  });

  it("a failed card of steps whose earlier write was applied has the outcome applied and partial data", async () => {
    const { waybill } = await setup({ label: refused });
    const { error, meta } = await waybill.execute("bug.report", { title: "T", label: "x" });
    expect(error).toMatchObject({
      code: "VALIDATION",
      retryable: false,
      details: {
        outcome: "applied",
        step: "labelled",
        partial: { made: { number: 7 }, said: { number: 7 } },
      },
    });
    expect(meta.attempts).toMatchObject([{ status: "error" }]);
  });

  it("a card of steps with a write that may have been applied has the outcome unknown and sends nothing more", async () => {
    const { waybill, sent } = await setup({ comment: lost });
    const { error } = await waybill.execute("bug.report", { title: "T", label: "x" });
    expect(error).toMatchObject({
      code: "NETWORK",
      retryable: false,
      details: { outcome: "unknown", step: "said", partial: { made: { number: 7 } } },
    });
    expect(sent).toHaveLength(2);
  });

  it("the error of a card of steps is retryable if nothing was applied and the cause is temporary", async () => {
    const { waybill } = await setup({ create: down });
    const { error } = await waybill.execute("bug.report", { title: "T" });
    expect(error).toMatchObject({ retryable: true, details: { outcome: "not_applied" } });
  });

  it("a card of steps whose steps succeed but whose output cannot be mapped has the outcome applied", async () => {
    const card = made("bug.odd", [{ id: "made", task: "issue.create", input: { title: "T" } }], {
      output: { map: { a: "b" }, of: "made.data.number" },
    });
    const { waybill } = await setup({}, {}, [card]);
    const { error } = await waybill.execute("bug.odd", { title: "T" });
    expect(error).toMatchObject({ details: { outcome: "applied", partial: { made: {} } } });
  });

  it("a card of steps with an aborted signal ends before its first step", async () => {
    const { waybill, sent } = await setup();
    const signal = AbortSignal.abort();
    const { error } = await waybill.execute("bug.report", { title: "T" }, { signal });
    expect(error).toMatchObject({ code: "CANCELLED", details: { outcome: "not_applied" } });
    expect(sent).toEqual([]);
  });
});

describe("cards with both routes and steps", () => {
  const create = task("issue.create", ["title", "body", "label"]);
  const some: Card = {
    ...create,
    capability_id: "issue.file",
    input_schema: { type: "object", properties: { title: text, label: text } },
    output_schema: { type: "object", properties: { number: integer, label: text } },
    rest: {
      method: "POST",
      path: "/issue.create",
      body: { title: "title" },
      output: { number: "number" },
    },
    steps_when: "label",
    steps: [
      { id: "made", task: "issue.file", input: { title: { $from: "params.title" } } },
      {
        id: "labelled",
        task: "issue.label",
        input: { number: { $from: "made.data.number" }, label: { $from: "params.label" } },
      },
    ],
    output: { number: "made.data.number", label: "labelled.data.label" },
  };

  it("a card with routes and steps uses its routes if the condition for the steps does not hold", async () => {
    const { waybill, sent } = await setup({}, {}, [some]);
    const { data, meta } = await waybill.execute("issue.file", { title: "T" });
    expect([data, meta.route_used]).toEqual([{ number: 7 }, "rest"]);
    expect(sent).toEqual(['/issue.create {"title":"T"}']);
  });

  it("a card with routes and steps runs its steps if their condition holds, and a step may call the card", async () => {
    const { waybill, sent } = await setup({}, {}, [some]);
    const { data } = await waybill.execute("issue.file", { title: "T", label: "bug" });
    expect(data).toEqual({ number: 7, label: "bug" });
    expect(sent).toEqual([
      '/issue.create {"title":"T"}',
      '/issue.label {"number":7,"label":"bug"}',
    ]);
  });

  it("a card whose step calls the card itself does not recurse without end", async () => {
    const [first, ...rest] = some.steps!;
    const own = { ...first!, input: { ...first!.input, label: { $from: "params.label" } } };
    const { waybill, sent } = await setup({}, {}, [{ ...some, steps: [own, ...rest] }]);
    expect((await waybill.execute("issue.file", { title: "T", label: "bug" })).ok).toBe(true);
    expect(sent).toHaveLength(2);
  });

  it("two cards whose steps call each other are refused as a cycle", async () => {
    const around = made("issue.around", [{ task: "issue.file", input: { title: "T" } }]);
    const [, label] = some.steps!;
    const card = { ...some, steps: [{ task: "issue.around", input: { title: "T" } }, label!] };
    const { waybill, sent } = await setup({}, {}, [{ ...card, output: {} }, around]);
    const { error } = await waybill.execute("issue.file", { title: "T", label: "bug" });
    expect(error?.message).toContain("is a cycle");
    expect(sent).toEqual([]);
  });

  it("a keyed card of steps with a lost step is not run again, and the error names the step of unknown outcome", async () => {
    const { waybill, sent } = await setup({ label: lost }, { journal: memoryJournal() }, [some]);
    const params = { title: "T", label: "bug" };
    const call = () => waybill.execute("issue.file", params, { idempotency_key: "k" });
    const [first, again] = [await call(), await call()];
    expect(first.error?.details).toMatchObject({ outcome: "unknown", step: "labelled" });
    expect(again.error?.details).toMatchObject({ outcome: "unknown", step: "labelled" });
    expect(sent).toHaveLength(2);
  });
});

describe("idempotency keys of cards of steps", () => {
  const idempotency_key = "k";

  it("a keyed card of steps runs once, a repeat gets its recorded answer, and each step has its own key", async () => {
    const { waybill, sent } = await setup({}, { journal: memoryJournal() });
    const call = () => waybill.execute("bug.report", { title: "T" }, { idempotency_key });
    const [first, again] = [await call(), await call()];
    expect(again).toEqual({ ...first, meta: { ...first.meta, replayed: true } });
    expect(sent).toHaveLength(2);
    const step = await waybill.execute(
      "issue.create",
      { title: "T" },
      { idempotency_key: "k/made" },
    );
    expect(step.meta.replayed).toBe(true);
    const other = await waybill.execute("bug.report", { title: "U" }, { idempotency_key });
    expect(other.error?.code).toBe("CONFLICT");
  });

  it("the idempotency key of a card of steps is free again if nothing was applied", async () => {
    let isUp = false;
    const create: Behaviour = (body) =>
      isUp ? { number: 7, ...body } : fail("AUTH", "bad token", { outcome: "not_applied" });
    const { waybill } = await setup({ create }, { journal: memoryJournal() });
    const call = () => waybill.execute("bug.report", { title: "T" }, { idempotency_key });
    expect((await call()).error?.code).toBe("AUTH");
    isUp = true;
    expect((await call()).ok).toBe(true);
  });

  it("a keyed card of steps is not run again if only some of its steps were applied", async () => {
    const { waybill, sent } = await setup({ label: lost }, { journal: memoryJournal() });
    const params = { title: "T", label: "x" };
    const call = () => waybill.execute("bug.report", params, { idempotency_key });
    const [first, again] = [await call(), await call()];
    expect(again.error).toEqual(first.error);
    expect(sent).toHaveLength(3);
  });

  it("a repeat of a keyed card of steps continues after a lost step that is idempotent", async () => {
    let isUp = false;
    const label: Behaviour = (body) =>
      isUp ? body : fail("NETWORK", "connection lost", { outcome: "unknown" });
    const tagged = made("bug.tag", [
      { id: "made", task: "issue.create", input: { title: { $from: "params.title" } } },
      {
        id: "tagged",
        task: "issue.tag",
        input: { number: { $from: "made.data.number" }, label: "x" },
      },
    ]);
    const tag = task("issue.tag", ["number", "label"], { idempotent: true });
    const { waybill, sent } = await setup({ label }, { journal: memoryJournal() }, [tag, tagged]);
    const call = () => waybill.execute("bug.tag", { title: "T" }, { idempotency_key });
    expect((await call()).error?.details?.["outcome"]).toBe("unknown");
    isUp = true;
    expect((await call()).ok).toBe(true);
    expect(sent.filter((each) => each.startsWith("/issue.create"))).toHaveLength(1);
  });

  it("a card of steps refuses an idempotency key if there is no journal, and sends no step", async () => {
    const { waybill, sent } = await setup();
    const { error } = await waybill.execute("bug.report", { title: "T" }, { idempotency_key });
    expect([error?.code, sent]).toEqual(["ADAPTER_UNSUPPORTED", []]);
  });
});

describe("dry run of a card of steps", () => {
  it("a dry run of a card of steps shows every request, with placeholders for values of earlier steps", async () => {
    const { waybill, sent } = await setup();
    const params = { title: "T", label: "x" };
    const { data } = await waybill.execute("bug.report", params, { dry_run: true });
    expect(data).toMatchObject({
      requests: [
        { step: "made", path: "/issue.create", body: { title: "T" } },
        {
          step: "said",
          body: {
            number: { $pending: "made.data.number" },
            body: "Hello T, you are #$pending(made.data.number)",
          },
        },
        { step: "labelled", body: { number: { $pending: "made.data.number" }, label: "x" } },
      ],
    });
    expect(sent).toEqual([]);
  });

  it("a dry run of a card of steps names the steps of a nested card and omits skipped steps", async () => {
    const outer = made("bug.outer", [{ id: "bug", task: "bug.report", input: { title: "T" } }]);
    const { waybill } = await setup({}, {}, [report, outer]);
    const { data } = await waybill.execute("bug.outer", { title: "" }, { dry_run: true });
    expect(data).toMatchObject({ requests: [{ step: "bug.made" }, { step: "bug.said" }] });
  });

  it("a dry run of a card of steps names the condition of a step", async () => {
    const card = made("bug.maybe", [
      { id: "seen", task: "issue.view", input: { number: 1 } },
      { task: "issue.comment", when: "seen.ok", input: { number: 1, body: "x" } },
    ]);
    const { waybill } = await setup({}, {}, [card]);
    const { data } = await waybill.execute("bug.maybe", { title: "" }, { dry_run: true });
    expect(data).toMatchObject({
      requests: [{ step: "seen" }, { step: "s1", note: "sent only if seen.ok is true" }],
    });
  });

  it("a dry run of a card of steps reports the invalid input that a call would report", async () => {
    const { waybill } = await setup();
    const { error } = await waybill.execute("bug.report", { title: 7 }, { dry_run: true });
    expect(error?.code).toBe("VALIDATION");
  });
});

describe("checks before the first step", () => {
  it.each<[string, Card[], RegExp]>([
    [
      "an unknown task",
      [made("bug.a", [{ task: "issue.create", input: { title: "x" } }, { task: "issue.coment" }])],
      /bug.a has a step that calls issue.coment, which does not exist here/,
    ],
    [
      "an unknown task of a nested card",
      [
        made("bug.a", [{ task: "issue.create", input: { title: "x" } }, { task: "bug.b" }]),
        made("bug.b", [{ task: "no.such" }]),
      ],
      /bug.b has a step that calls no.such/,
    ],
    [
      "a cycle of cards",
      [
        made("bug.a", [{ task: "issue.create", input: { title: "x" } }, { task: "bug.b" }]),
        made("bug.b", [{ task: "bug.a" }]),
      ],
      /bug.a → bug.b → bug.a is a cycle/,
    ],
    [
      "too many levels",
      Array.from({ length: 10 }, (_, n) =>
        made(n === 0 ? "bug.a" : `bug.a${n}`, [{ task: n === 9 ? "issue.view" : `bug.a${n + 1}` }]),
      ),
      /is nested more than 8 levels deep/,
    ],
    [
      "too many calls",
      Array.from({ length: 3 }, (_, n) =>
        made(
          n === 0 ? "bug.a" : `bug.a${n}`,
          Array.from({ length: 90 }, () => ({ task: n === 2 ? "issue.view" : `bug.a${n + 1}` })),
        ),
      ),
      /bug.a makes more than 1000 calls/,
    ],
    [
      "a step with a stronger effect than the card",
      [made("bug.a", [{ task: "issue.create", input: { title: "x" } }], { effect: "read" })],
      /bug.a is declared as a read, but its step issue.create has the effect write/,
    ],
    [
      "an input that a later step would refuse",
      [
        made("bug.a", [
          { task: "issue.create", input: { title: "x" } },
          { task: "issue.comment", input: { number: { $from: "params.title" }, body: "x" } },
        ]),
      ],
      /bug.a, step s1: Invalid input for issue.comment/,
    ],
    [
      "steps that depend on each other",
      [
        made("bug.a", [
          { id: "a", task: "issue.create", input: { title: { $from: "b.data.body" } } },
          { id: "b", task: "issue.create", input: { title: { $from: "a.data.body" } } },
        ]),
      ],
      /bug.a: Step \w depends on itself/,
    ],
  ])(
    "a card of steps is refused before anything is sent because of %s",
    async (_what, cards, message) => {
      const { waybill, sent } = await setup({}, {}, cards);
      const { error } = await waybill.execute("bug.a", { title: "T" });
      expect(error?.message).toMatch(message);
      expect(sent).toEqual([]);
      // A read has no outcome, so none is expected.
      const outcome = cards[0]!.effect === "read" ? undefined : "not_applied";
      expect(error?.details?.["outcome"]).toBe(outcome);
    },
  );

  it("an approval of a card of steps covers the calls of its steps", async () => {
    const { waybill, sent } = await setup({}, { policy: { confirm: "writes" } });
    const refusal = await waybill.execute("bug.report", { title: "T" });
    expect([refusal.error?.code, sent]).toEqual(["POLICY", []]);
    const approve = String(refusal.error?.details?.["approve"]);
    expect((await waybill.execute("bug.report", { title: "T" }, { approve })).ok).toBe(true);
  });

  it.each([{ deny: ["issue.comment"] }, { allow: ["bug.*", "issue.create"] }])(
    "a policy that forbids a step forbids the card of steps: %j",
    async (policy) => {
      const { waybill, sent } = await setup({}, { policy });
      const { error } = await waybill.execute("bug.report", { title: "T" });
      expect(error).toMatchObject({ code: "POLICY", details: { outcome: "not_applied" } });
      expect(error?.message).toContain("issue.comment");
      expect(sent).toEqual([]);
    },
  );

  it("a card of steps refuses a caller without access to one step before it sends anything", async () => {
    const guarded = task("issue.guarded", ["number"], { access: { all: ["admin"] } });
    const card = made("bug.a", [
      { task: "issue.create", input: { title: "x" } },
      { task: "issue.guarded", input: { number: 1 } },
    ]);
    const { waybill, sent } = await setup({}, {}, [guarded, card]);
    const ada = waybill.as({ id: "ada", scopes: [] });
    const { error } = await ada.execute("bug.a", { title: "T" });
    expect([error?.code, sent]).toEqual(["POLICY", []]);
  });

  it("a card of steps refuses the option route", async () => {
    const { waybill } = await setup();
    const { error } = await waybill.execute("bug.report", { title: "T" }, { route: "rest" });
    expect(error?.code).toBe("ADAPTER_UNSUPPORTED");
  });
});

describe("cards of steps in an OperationRegistry", () => {
  it("an OperationRegistry refuses a card of steps whose tasks it does not have", async () => {
    const registry = new OperationRegistry();
    registry.register(cardOperation(await prepareCard(report), { routes: [] }));
    await expect(registry.execute("bug.report", { title: "T" })).rejects.toThrow(
      /has a step that calls .*, which does not exist here/,
    );
  });
});
