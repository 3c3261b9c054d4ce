import { afterEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../../../../test/support/stop-clock.ts";
import { CallError, fail } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import { prepareCard } from "../../cards/index.ts";
import { cardOperation } from "../../router/index.ts";
import { lateSource, localSource } from "../../source/index.ts";
import type { Source, SourceProblem } from "../../source/index.ts";
import { createWaybill } from "../index.ts";
import type { WaybillOptions } from "../index.ts";

const operation = (id: string, answer = id) =>
  defineOperation({ id, description: "Answers", effect: "read", handler: () => answer });

function failing(name: string, why: Error, route?: Source["route"]): Source {
  const list = () => Promise.reject(why);
  return { ...localSource(name, []), list, ...(route !== undefined && { route }) };
}

function silent(name: string): Source {
  return { ...localSource(name, []), list: () => new Promise(() => {}) };
}

function watched(options: WaybillOptions) {
  const problems: SourceProblem[] = [];
  const observer = { onProblem: (problem: SourceProblem) => void problems.push(problem) };
  return { problems, waybill: createWaybill({ ...options, observer }) };
}

describe("sources that fail to load", () => {
  it.each([
    [fail("NETWORK", "no connection"), "NETWORK", "SOURCE_DOWN", true],
    [fail("TIMEOUT", "no answer"), "NETWORK", "SOURCE_DOWN", true],
    [new Error("odd"), "NETWORK", "SOURCE_DOWN", true],
    [fail("AUTH", "no token", { hint: "set T" }), "AUTH", "AUTH", false],
    [fail("POLICY", "not trusted"), "POLICY", "POLICY", false],
    [fail("NOT_READY", "wait"), "NOT_READY", "NOT_READY", true],
    [fail("RATE_LIMIT", "slow", { retry_after_ms: 7 }), "RATE_LIMIT", "RATE_LIMIT", true],
    [new CallError("VALIDATION_ERROR", "half"), "ADAPTER_UNSUPPORTED", undefined, false],
  ])(
    "a call of a source that failed to load with the error (%s) returns %s and a skipped attempt",
    async (why, code, skipped, retryable) => {
      const waybill = createWaybill({ sources: [failing("shop", why, "rest")] });
      const { error, meta } = await waybill.execute("shop.orders.list");
      expect(error).toMatchObject({ code, retryable });
      expect(error?.message).toBe(`The source shop cannot be used: ${why.message}`);
      expect(meta.attempts).toEqual([
        { route: "rest", status: "skipped", error_code: skipped ?? code, duration_ms: 0 },
      ]);
      expect(meta).not.toHaveProperty("route_used");
    },
  );

  it("the error of a call of a failed source contains the hint and the wait of the failure", async () => {
    const why = fail("RATE_LIMIT", "slow", { hint: "wait", retry_after_ms: 7 });
    const { error } = await createWaybill({ sources: [failing("a", why)] }).execute("a.b");
    expect(error?.details).toEqual({
      hint: "wait",
      retry_after_ms: 7,
      outcome: "not_applied",
    });
  });

  it("explain, chain and subscribe report a failed source as a call does", async () => {
    const waybill = createWaybill({ sources: [failing("a", fail("AUTH", "no token"))] });
    await expect(waybill.explain("a.b")).rejects.toThrow("The source a cannot be used: no token");
    const chain = await waybill.chain([{ task: "a.b", input: {} }]);
    expect(JSON.stringify(chain)).toContain("The source a cannot be used: no token");
    await expect(waybill.subscribe("a.b").next()).rejects.toThrow("no token");
  });

  it("an unknown id is NOT_FOUND with a hint that names the failed sources", async () => {
    const waybill = createWaybill({ sources: [failing("cards", new Error("no folder"))] });
    const { error } = await waybill.execute("issue.view");
    expect(error?.code).toBe("NOT_FOUND");
    expect(error?.details?.["hint"]).toBe(
      "Not all sources could be read. The source cards cannot be used: no folder.",
    );
  });

  it("a secret is removed from the reason of a failed source", async () => {
    const sources = [failing("a", fail("NETWORK", "token s3cr3t-value refused"))];
    const waybill = createWaybill({ sources, secrets: () => ["s3cr3t-value"] });
    expect(JSON.stringify(await waybill.execute("a.b"))).not.toContain("s3cr3t-value");
  });
});

describe("retry of a failed source", () => {
  afterEach(() => void vi.useRealTimers());

  it("a failed source is loaded again after 5 seconds, not by every call before that", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    let lists = 0;
    const real = localSource("a", [operation("a.b")]);
    const list = (): ReturnType<Source["list"]> => {
      lists += 1;
      return lists === 1 ? Promise.reject(fail("NETWORK", "down")) : real.list();
    };
    const waybill = createWaybill({ sources: [{ ...real, list }] });
    expect((await waybill.execute("a.b")).error?.code).toBe("NETWORK");
    expect((await waybill.execute("a.b")).error?.code).toBe("NETWORK");
    expect(lists).toBe(1);
    vi.setSystemTime(Date.now() + 5_000);
    expect((await waybill.execute("a.b")).data).toBe("a.b");
    expect(await waybill.list_capabilities()).toHaveLength(1);
    expect(lists).toBe(2);
  });
});

it("a call loads only the source that has the called id", async () => {
  const loaded: string[] = [];
  const listed = (name: string): Source => ({
    ...localSource(name, [operation(`${name}.one`)]),
    get isLoaded() {
      return loaded.includes(name);
    },
    async load() {
      loaded.push(name);
      return false;
    },
  });
  const waybill = createWaybill({ sources: [listed("first"), listed("second")] });
  await waybill.list_capabilities();
  expect(loaded).toEqual([]);
  expect((await waybill.execute("second.one")).data).toBe("second.one");
  expect(loaded).toEqual(["second"]);
});

describe("sources that do not answer", () => {
  it("list_capabilities waits for wait_ms, then lists the loaded sources and reports the source that did not answer", async () => {
    const sources = [silent("slow"), localSource("quick", [operation("quick.one")])];
    const { waybill, problems } = watched({ sources });
    const pass = stopClock();
    const found = waybill.list_capabilities({ query: "one", wait_ms: 20 });
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await pass(20);
    expect((await found).map(({ capability_id }) => capability_id)).toEqual(["quick.one"]);
    const message = "has not answered within 20 ms, so its operations are missing here";
    expect(problems).toEqual([{ source: "slow", operationId: "", message, isMissing: true }]);
    expect((await waybill.execute("quick.one")).ok).toBe(true);
  });

  it("list_capabilities waits longer than wait_ms for a pack, because a pack is code of this process", async () => {
    const pack = localSource("pack", [operation("pack.one")]);
    const coming = new EventTarget();
    const come = new Promise<void>((resolve) => coming.addEventListener("now", () => resolve()));
    const slow: Source = { ...pack, origin: "pack", list: () => come.then(() => pack.list()) };
    const { waybill, problems } = watched({ sources: [slow] });
    const pass = stopClock();
    const found = waybill.list_capabilities({ wait_ms: 20 });
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await pass(20);
    coming.dispatchEvent(new Event("now"));
    expect((await found).map(({ capability_id }) => capability_id)).toEqual(["pack.one"]);
    expect(problems).toEqual([]);
  });

  it.each(["pack", "project"] as const)(
    "a call waits for cards of a %s that are slow to load",
    async (origin) => {
      const pass = stopClock();
      const made = localSource("own", [operation("thing.view")]);
      const list = vi.fn<Source["list"]>(() =>
        new Promise<void>((done) => setTimeout(done, 9_000)).then(() => made.list()),
      );
      const cards: Source = { ...made, list, origin, anyIds: true };
      const called = createWaybill({ sources: [cards] }).execute("thing.view");
      await expect.poll(() => list.mock.calls).toHaveLength(1);
      await pass(9_000);
      expect((await called).data).toBe("thing.view");
    },
  );

  it("a source that never answers does not delay calls of other sources", async () => {
    const sources = [silent("slow"), localSource("quick", [operation("quick.one")])];
    const waybill = createWaybill({ sources });
    expect((await waybill.execute("quick.one")).ok).toBe(true);
    expect((await waybill.explain("quick.one")).capability_id).toBe("quick.one");
    const own = await waybill.execute("slow.one", {}, { deadline_ms: 20 });
    expect(own.error?.code).toBe("TIMEOUT");
  });

  it("a source that answers late adds its operations, under a longer id if an id is taken", async () => {
    const late = localSource("late", [operation("x.both", "late"), operation("late.own")]);
    const coming = new EventTarget();
    const come = new Promise<void>((resolve) => coming.addEventListener("now", () => resolve()));
    const list = () => come.then(() => late.list());
    const first = localSource("first", [operation("x.both", "first")]);
    const { waybill } = watched({ sources: [{ ...late, list }, first] });
    await waybill.list_capabilities({ wait_ms: 5 });
    const called = waybill.execute("late.own");
    coming.dispatchEvent(new Event("now"));
    expect((await called).data).toBe("late.own");
    expect((await waybill.execute("x.both")).data).toBe("first");
    expect((await waybill.execute("late.x.both")).data).toBe("late");
    expect(waybill.sources().flatMap(({ collisions }) => collisions)).toEqual([
      { source: "late", id: "x.both", as: "late.x.both", holder: "first" },
    ]);
  });

  it("a slow source keeps its ids even if a later source with the same ids answers first", async () => {
    const one = localSource("one", [operation("x.both", "one")]);
    const list = () => new Promise<void>((done) => setTimeout(done, 20)).then(() => one.list());
    const two = localSource("two", [operation("x.both", "two")]);
    const waybill = createWaybill({ sources: [{ ...one, list }, two] });
    expect((await waybill.execute("x.both")).data).toBe("one");
  });

  it("a source that fails after closing is not reported", async () => {
    let stop: (error: Error) => void;
    const ended = new Promise<never>((_resolve, reject) => (stop = reject));
    const slow = { ...silent("slow"), list: () => ended };
    const closing = { ...slow, close: async () => stop(new Error("closed")) };
    const { waybill, problems } = watched({ sources: [closing] });
    await waybill.list_capabilities({ wait_ms: 1 });
    await waybill.close();
    await new Promise((done) => setTimeout(done));
    expect(problems).toHaveLength(1);
  });

  it("list_capabilities refuses a negative wait_ms", async () => {
    const waybill = createWaybill({ sources: [silent("slow")] });
    await expect(waybill.list_capabilities({ wait_ms: -1 })).rejects.toThrow("/wait_ms");
  });

  it("an id of no loaded source is NOT_FOUND at once, with a hint that names the source that did not answer", async () => {
    const sources = [silent("slow"), localSource("quick", [operation("quick.one")])];
    const waybill = createWaybill({ sources });
    const hint = "Not all sources could be read. The source slow has not answered.";
    const { error } = await waybill.execute("quick.two");
    expect(error).toMatchObject({ code: "NOT_FOUND", details: { hint } });
    const refusal = await waybill.explain("card.view").catch((thrown: unknown) => thrown);
    expect(refusal).toMatchObject({ details: { hint } });
  });

  it("operations() waits at most ten seconds for a source that does not answer", async () => {
    const pass = stopClock();
    const sources = [silent("slow"), localSource("quick", [operation("quick.one")])];
    const { waybill, problems } = watched({ sources });
    const all = waybill.operations();
    await pass(10_000);
    expect((await all).map(({ id }) => id)).toEqual(["quick.one"]);
    expect(problems).toMatchObject([{ source: "slow" }]);
  });

  it("operations() with an id of a source that has answered does not wait for other sources", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const sources = [localSource("quick", [operation("quick.one")]), silent("slow")];
    const found = createWaybill({ sources }).operations(["quick.one"]);
    await vi.advanceTimersByTimeAsync(1);
    expect((await found).map(({ id }) => id)).toEqual(["quick.one"]);
  });

  it.each([
    [{}, 5_000],
    [{ deadline_ms: 60_000 }, 5_000],
    [{ deadline_ms: 1_000 }, 600],
  ])(
    "a source that does not answer fails only its own step of a chain: %j, after %d ms",
    async (options, patience) => {
      const pass = stopClock();
      const sources = [silent("slow"), localSource("quick", [operation("quick.one")])];
      const waybill = createWaybill({ sources });
      const steps = [{ task: "slow.one" }, { task: "quick.one" }];
      const chain = waybill.chain(steps, options);
      await pass(patience);
      const { status, results } = await chain;
      expect(status).toBe("partial");
      expect(results[0]!.error).toMatchObject({
        code: "NETWORK",
        message: "The source slow cannot be used: it has not answered yet. Call again",
        retryable: true,
        details: { outcome: "not_applied" },
      });
      expect(results[1]!.data).toBe("quick.one");
    },
  );

  it("a chain waits for a slow source if it has no other step to run", async () => {
    const pass = stopClock();
    const late = localSource("late", [operation("late.one")]);
    const list = () => new Promise<void>((done) => setTimeout(done, 9_000)).then(() => late.list());
    const waybill = createWaybill({ sources: [{ ...late, list }, silent("slow")] });
    const chain = waybill.chain([{ task: "late.one" }, { task: "slow.one" }]);
    await pass(9_000);
    expect((await chain).results.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it.each([2 ** 31, Infinity])("list_capabilities accepts a wait_ms of %d", async (wait_ms) => {
    const late = localSource("late", [operation("late.one")]);
    const list = () => new Promise<void>((done) => setTimeout(done, 50)).then(() => late.list());
    const waybill = createWaybill({ sources: [{ ...late, list }] });
    expect(await waybill.list_capabilities({ wait_ms })).toHaveLength(1);
  });
});

describe("state of sources and routes", () => {
  it("the state of a source is unknown before it is loaded, then up, or down with the problem", async () => {
    const down = lateSource("down", () => Promise.reject(fail("NETWORK", "nobody there")), "rest");
    const waybill = createWaybill({ sources: [localSource("up", [operation("up.look")]), down] });
    expect(waybill.sources().map(({ state }) => state)).toEqual(["unknown", "unknown"]);
    await waybill.list_capabilities();
    expect(waybill.sources()).toEqual([
      {
        name: "up",
        route: undefined,
        origin: "program",
        trusted: true,
        state: "up",
        operations: 1,
        collisions: [],
        problem: undefined,
      },
      {
        name: "down",
        origin: "program",
        trusted: true,
        collisions: [],
        route: "rest",
        state: "down",
        operations: undefined,
        problem: { message: "nobody there", at: expect.any(Number) as unknown },
      },
    ]);
  });

  it("the state of a route comes from its preflight checks, and is unknown if it depends on the input", async () => {
    const card = await prepareCard({
      capability_id: "repo.view",
      version: "1.0.0",
      description: "View a repository",
      effect: "read",
      input_schema: { type: "object" },
      output_schema: { type: "object" },
      routing: { preferred: "cli", fallbacks: ["rest"] },
      cli: { use: "rest" },
      rest: [
        { when: "kind == 'a'", method: "GET", path: "/a", output: { fields: { name: "name" } } },
      ],
    });
    const rest = {
      route: "rest",
      needs: ["tokenPresent"],
      send: () => Promise.reject(new Error("not to be sent")),
      describe: () => ({}),
    } as const;
    const waybill = createWaybill({
      operations: [operation("up.look"), cardOperation(card, { routes: [rest] })],
    });
    expect((await waybill.describe("up.look")).routes).toEqual([
      { route: "local", state: "ready" },
    ]);
    expect((await waybill.describe("repo.view")).routes).toEqual([
      {
        route: "cli",
        state: "unavailable",
        reason: "CLI_NOT_AVAILABLE",
        hint: "no cli route is configured",
      },
      { route: "rest", state: "unknown" },
    ]);
    await expect(waybill.describe("no.such")).rejects.toMatchObject({
      code: "OPERATION_NOT_FOUND",
    });
  });
});

describe("ids that a source guesses", () => {
  const guessing: Source = {
    ...localSource("pack", [operation("thing.list")]),
    meantIds: (id) => (id === "item.list" ? ["thing.list"] : []),
  };

  it("an id that a source guesses for an unknown id is called if no other source has that id", async () => {
    const { data, meta } = await createWaybill({ sources: [guessing] }).execute("item.list");
    expect([data, meta.capability_id]).toEqual(["thing.list", "thing.list"]);
  });

  it("a call runs the exact id of a source that answers late, not the id that another source guessed", async () => {
    const own = localSource("item", [operation("item.list", "own")]);
    const late: Source = {
      ...own,
      list: () => new Promise((resolve) => setTimeout(() => resolve(own.list()), 20)),
    };
    const { data } = await createWaybill({ sources: [guessing, late] }).execute("item.list");
    expect(data).toBe("own");
  });

  it("an id that a source guesses is not called while another source cannot be read", async () => {
    const down = failing("shop", fail("NETWORK", "no connection"));
    const { error } = await createWaybill({ sources: [guessing, down] }).execute("item.list");
    expect(error?.details?.["did_you_mean"]).toEqual(["thing.list"]);
  });
});

describe("the hint for an unknown id", () => {
  it.each([
    [
      "is left out if the first word of the id is a misspelt word of a known id",
      "rebo.view",
      undefined,
    ],
    ["is given if no id begins with a similar word", "shop.view", "Look at the file."],
  ])("the hint for an unknown id %s", async (_title, id, hint) => {
    const operations = [operation("repo.view"), operation("repo.clones")];
    const waybill = createWaybill({ operations, missingHint: "Look at the file." });
    const { error } = await waybill.execute(id);
    expect([error?.code, error?.details?.["hint"]]).toEqual(["NOT_FOUND", hint]);
  });
});

describe("unknown ids for which a source suggests a next step", () => {
  const step = { hint: "Use git clone", ids: ["repo.view"] };
  const source: Source = {
    ...localSource("repo", [operation("repo.view"), operation("repo.clones")]),
    meantIds: () => ["repo.clones"],
    stepForId: (id) => (id === "repo.clone" ? step : undefined),
  };

  it("the error for an unknown id has the next step that its source suggests, and no guessed id is called", async () => {
    const waybill = createWaybill({ sources: [source], missingHint: "Look at the file." });
    const { error } = await waybill.execute("repo.clone");
    expect(error?.code).toBe("NOT_FOUND");
    expect(error?.message).toContain("did you mean repo.view?");
    expect(error?.details).toMatchObject({ hint: step.hint, did_you_mean: step.ids });
  });

  it("an unknown id for which the source suggests no next step is replaced by a guessed id", async () => {
    const waybill = createWaybill({ sources: [source] });
    expect(await waybill.execute("repo.cloned")).toMatchObject({ data: "repo.clones" });
  });
});
