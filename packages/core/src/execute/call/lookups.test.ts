import { describe, expect, it } from "vitest";
import { prepareCard } from "../../cards/index.ts";
import type { Card, CardRequest } from "../../cards/index.ts";
import { fail, httpEnvelope } from "../../envelope/index.ts";
import { cardOperation } from "../../router/index.ts";
import type { CardRoute } from "../../router/index.ts";
import { createWaybill } from "../index.ts";

const text = { type: "string" } as const;
/**
 * The column lookup needs the project, which needs the owner. The label lookup needs only the
 * owner.
 */
const card: Card = {
  capability_id: "item.add",
  version: "1.0.0",
  description: "Put an item on a board",
  effect: "write",
  input_schema: {
    type: "object",
    required: ["owner", "board"],
    properties: { owner: text, board: text, column: text },
  },
  output_schema: { type: "object" },
  routing: { preferred: "rest", fallbacks: [] },
  lookup: {
    columns: { path: "/projects/{lookup.project}/columns", value: "items" },
    project: { path: "/owners/{lookup.owner}/projects", query: { name: "board" }, value: "id" },
    owner: { path: "/owners", query: { login: "owner" }, value: "id" },
    label: { path: "/owners/{lookup.owner}/label", value: "id" },
    unused: { path: "/never", value: "id" },
  },
  rest: {
    method: "POST",
    path: "/projects/{lookup.project}/items",
    body: {
      label: "lookup.label",
      column: { find: "column", in: "lookup.columns", by: "name", value: "id" },
      size: "length(lookup.columns)",
    },
    output: { id: "id" },
  },
};

const ANSWERS: Readonly<Record<string, unknown>> = {
  "/owners": { id: "O1" },
  "/owners/O1/projects": { id: "P1" },
  "/owners/O1/label": { id: "L1" },
  "/projects/P1/columns": { items: [{ name: "Done", id: "C9" }] },
  "/projects/P1/items": { id: "I1" },
};

async function setup(answers = ANSWERS, used = card) {
  const trips: string[] = [];
  const bodies: unknown[] = [];
  const route: CardRoute = {
    route: "rest",
    needs: [],
    async send(request: CardRequest) {
      const { path, body } = request as Extract<CardRequest, { kind: "rest" }>;
      trips.push(path);
      if (body !== undefined) bodies.push(body);
      if (!Object.hasOwn(answers, path)) throw fail("NOT_FOUND", `nothing at ${path}`);
      if (answers[path] instanceof Error) throw answers[path];
      const meta = { statusCode: 200, headers: {}, contentType: "" };
      return { response: httpEnvelope(answers[path], meta), upstreamRequests: 1 };
    },
    describe: (request) => request,
  };
  const operations = [cardOperation(await prepareCard(used), { routes: [route], host: "h" })];
  return { waybill: createWaybill({ operations }), trips, bodies };
}

const params = { owner: "octo", board: "Plan", column: "done" };

describe("lookups that depend on other lookups", () => {
  it("a lookup of a card is sent after the lookups that it depends on, and unused lookups are not sent", async () => {
    const { waybill, trips, bodies } = await setup();
    const { data, meta } = await waybill.execute("item.add", params, { trace: true });
    expect(data).toEqual({ id: "I1" });
    expect(trips).toEqual([
      "/owners",
      "/owners/O1/label",
      "/owners/O1/projects",
      "/projects/P1/columns",
      "/projects/P1/items",
    ]);
    expect(bodies).toEqual([{ label: "L1", column: "C9", size: 1 }]);
    expect(meta.cost?.upstream_requests).toBe(5);
  });

  it("lookups of a card count as upstream requests even if the lookup or the call fails", async () => {
    const { "/projects/P1/items": _, ...unanswered } = ANSWERS;
    const empty = { ...ANSWERS, "/owners/O1/projects": { id: null } };
    const { "/owners/O1/label": _label, ...siblings } = ANSWERS;
    for (const answers of [unanswered, empty, siblings]) {
      const { waybill, trips } = await setup(answers);
      const { ok, meta } = await waybill.execute("item.add", params, { trace: true });
      expect(ok).toBe(false);
      expect(meta.cost?.upstream_requests).toBe(trips.length);
    }
  });

  it("a lookup that several steps of a chain need is sent once for the chain", async () => {
    const { waybill, trips } = await setup();
    const step = { task: "item.add", input: params };
    expect((await waybill.chain([step, step, step])).status).toBe("success");
    expect(trips.filter((path) => path !== "/projects/P1/items")).toHaveLength(4);
  });

  it("a call ends before its write if a lookup that depends on another lookup finds nothing", async () => {
    const { waybill, trips } = await setup({ ...ANSWERS, "/owners/O1/projects": { id: null } });
    const { error } = await waybill.execute("item.add", params);
    expect(error).toMatchObject({
      code: "NOT_FOUND",
      message: "item.add found no project",
      details: { outcome: "not_applied" },
    });
    expect(trips).not.toContain("/projects/P1/items");
  });

  it("a call continues if an optional lookup finds nothing, and fails if a required lookup finds nothing", async () => {
    const { "/owners/O1/label": _, ...without } = ANSWERS;
    const lookup = { ...card.lookup, label: { ...card.lookup!["label"]!, optional: true } };
    const { waybill, trips, bodies } = await setup(without, { ...card, lookup });
    const { error, meta } = await waybill.execute("item.add", params, { trace: true });
    expect(error).toBeNull();
    expect(meta.cost?.upstream_requests).toBe(trips.length);
    expect(bodies).toEqual([{ column: "C9", size: 1 }]);
    const strict = await setup(without);
    const refused = await strict.waybill.execute("item.add", params);
    expect(refused.error).toMatchObject({
      code: "NOT_FOUND",
      message: "item.add found no label",
      details: { outcome: "not_applied" },
    });
    expect(strict.bodies).toEqual([]);
  });

  it.each([["surprise"], [null], [{}]])(
    "a write is not sent if an optional lookup is answered with %j instead of an object",
    async (answer) => {
      const lookup = { ...card.lookup, label: { ...card.lookup!["label"]!, optional: true } };
      const answers = { ...ANSWERS, "/owners/O1/label": answer };
      const { waybill, bodies } = await setup(answers, { ...card, lookup });
      const { error } = await waybill.execute("item.add", params);
      expect(error).toMatchObject({
        code: "SERVER",
        message: "The answer to the lookup label of item.add has an unexpected form",
        details: { outcome: "not_applied" },
      });
      expect(bodies).toEqual([]);
    },
  );

  it("a dry run shows the lookups of a card, each with a placeholder for the value it waits for", async () => {
    const { waybill, trips } = await setup();
    const { data } = await waybill.execute("item.add", params, { dry_run: true });
    const { requests } = data as { requests: { path: string; body?: unknown }[] };
    expect(requests.map(({ path }) => decodeURIComponent(path))).toEqual([
      "/owners",
      "/owners/$pending(lookup.owner)/label",
      "/owners/$pending(lookup.owner)/projects",
      "/projects/$pending(lookup.project)/columns",
      "/projects/$pending(lookup.project)/items",
    ]);
    expect(requests.at(-1)!.body).toEqual({
      label: { $pending: "lookup.label" },
      column: { $pending: "lookup.columns" },
      size: { $pending: "lookup.columns" },
    });
    expect(trips).toEqual([]);
  });

  it("a call of a card whose lookups depend on each other in a circle fails and sends nothing", async () => {
    const circle: Card = {
      ...card,
      lookup: {
        owner: { path: "/a/{lookup.label}", value: "id" },
        label: { path: "/b/{lookup.owner}", value: "id" },
      },
      rest: { method: "POST", path: "/{lookup.owner}", output: {} },
    };
    const { waybill, trips } = await setup(ANSWERS, circle);
    const { error } = await waybill.execute("item.add", params);
    expect(error).toMatchObject({ code: "UNKNOWN", details: { outcome: "not_applied" } });
    expect(trips).toEqual([]);
  });
});

describe("AUTH errors of a lookup", () => {
  const answers = { "/label": fail("AUTH", "no right to labels"), "/notes": { id: "N1" } };

  async function call(effect: "read" | "write", optional: boolean) {
    const lookup = { label: { path: "/label", value: "id", optional } };
    const query = { label: "lookup.label" };
    const method = effect === "read" ? "GET" : "POST";
    const rest = { method, path: "/notes", query, output: { id: "id" } } as const;
    const { waybill } = await setup(answers, { ...card, effect, lookup, rest });
    return waybill.execute("item.add", params);
  }

  it("a read succeeds even if its optional lookup fails with AUTH", async () => {
    expect(await call("read", true)).toMatchObject({ ok: true, data: { id: "N1" } });
  });

  it.each([
    ["write", true],
    ["write", false],
    ["read", false],
  ] as const)(
    "a %s fails with AUTH if its lookup fails with AUTH (optional lookup: %s)",
    async (effect, optional) => {
      expect((await call(effect, optional)).error?.code).toBe("AUTH");
    },
  );
});

describe("lookups of merged writes", () => {
  const make: Card = {
    ...card,
    capability_id: "label.make",
    lookup: {},
    input_schema: { type: "object" },
    rest: { method: "POST", path: "/labels", output: { id: "id" } },
  };
  const use: Card = {
    ...make,
    capability_id: "label.use",
    lookup: { label: { path: "/label", value: "id" } },
    rest: { method: "POST", path: "/uses/{lookup.label}", output: { id: "id" } },
  };

  it("a lookup that found nothing is repeated after an earlier merged write created its object", async () => {
    const trips: string[] = [];
    let isMade = false;
    const send: CardRoute["send"] = async (request) => {
      const { path } = request as Extract<CardRequest, { kind: "rest" }>;
      trips.push(path);
      if (path === "/label" && !isMade) throw fail("NOT_FOUND", "no label");
      if (path === "/labels") isMade = await new Promise((resolve) => setTimeout(resolve, 5, true));
      const meta = { statusCode: 200, headers: {}, contentType: "" };
      return { response: httpEnvelope({ id: "L1" }, meta), upstreamRequests: 1 };
    };
    const route: CardRoute = {
      route: "rest",
      needs: [],
      send,
      describe: (request) => request,
      canSendTogether: () => false,
      sendTogether: async () => [],
    };
    const kit = { routes: [route], host: "h" };
    const cards = await Promise.all([make, use].map((each) => prepareCard(each)));
    const waybill = createWaybill({ operations: cards.map((each) => cardOperation(each, kit)) });
    const steps = [{ task: "label.make" }, { task: "label.use" }];
    const { status } = await waybill.chain(steps, { merge_writes: true });
    expect(status).toBe("success");
    expect(trips).toEqual(["/labels", "/label", "/label", "/uses/L1"]);
  });
});

const send: CardRoute["send"] = async (_request, { signal }) => {
  for (let more = 0; more < 3; more++) signal.addEventListener("abort", () => {});
  const meta = { statusCode: 200, headers: {}, contentType: "" };
  return { response: httpEnvelope({ id: "1" }, meta), upstreamRequests: 1 };
};

it.each([false, true])(
  "many lookups that listen to one call's signal cause no memory leak warning (merged: %s)",
  async (isMerged) => {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", note);
    const route: CardRoute = {
      route: "rest",
      needs: [],
      send,
      describe: (request) => request,
      canSendTogether: () => isMerged,
      sendTogether: (requests, attempt) => Promise.all(requests.map((each) => send(each, attempt))),
    };
    const many: Card = {
      ...card,
      input_schema: { type: "object", properties: { names: { type: "array" } } },
      lookup: { ids: { each: "names", path: "/ids/{$item}", value: "id" } },
      rest: { method: "POST", path: "/p", body: { ids: "lookup.ids" }, output: { id: "id" } },
    };
    const operations = [cardOperation(await prepareCard(many), { routes: [route], host: "h" })];
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
    const { ok } = await createWaybill({ operations }).execute("item.add", { names });
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    expect([ok, warnings]).toEqual([true, []]);
  },
);

describe("lookups without access", () => {
  it.each([
    ["is left out of a read if it is optional", "read", true, null],
    ["fails a read if it is required", "read", false, "AUTH"],
    ["fails a write even if it is optional", "write", true, "AUTH"],
  ] as const)(
    "a lookup that the caller may not read %s",
    async (_title, effect, optional, code) => {
      const used: Card = {
        ...card,
        effect,
        lookup: { label: { path: "/label", value: "id", optional } },
        rest: {
          method: effect === "read" ? "GET" : "POST",
          path: "/items",
          query: { label: "lookup.label" },
          output: { id: "id" },
        },
      };
      const answers = { "/label": fail("AUTH", "not yours"), "/items": { id: "I1" } };
      const { waybill } = await setup(answers, used);
      const { error } = await waybill.execute("item.add", params);
      expect(error?.code ?? null).toBe(code);
    },
  );
});
