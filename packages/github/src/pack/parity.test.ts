import { isRecord } from "@waybill/core/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ResultEnvelope } from "@waybill/core";
import { exchangeProblems } from "../emulator/fixtures/described.ts";
import type { Exchange } from "../emulator/index.ts";
import { cards } from "./cards.ts";
import { cases, isReadOnly } from "./fixtures/cases/index.ts";
import type { ParityCase } from "./fixtures/cases/index.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";

type CardRouteName = "graphql" | "rest" | "cli";
type Mode = "single" | "chained";

const MODES: readonly Mode[] = ["single", "chained"];

/** Inputs that GitHub accepts although its description does not list them. */
const NOT_DESCRIBED = new Set<string>();

function getCard(id: string): NonNullable<ReturnType<typeof cards.cardById>> {
  const card = cards.cardById(id);
  if (card === undefined) throw new Error(`There is no card ${id}`);
  return card;
}

function getRoutes({ id, routes }: ParityCase): readonly CardRouteName[] {
  const { order } = getCard(id);
  return order.length === 0
    ? ["graphql"]
    : order.filter((route) => routes?.includes(route) ?? true);
}

/** Ignores cursors, which contain the name of the route, and values that depend on the time. */
function comparable(data: unknown, { momentary = [] }: ParityCase): unknown {
  const mayDiffer = new Set(["endCursor", ...momentary]);
  return JSON.parse(JSON.stringify(data), (key, value: unknown) =>
    mayDiffer.has(key) && typeof value === "string" ? `some ${key}` : value,
  );
}

/**
 * Starting `gh` is slow, so by default each case uses `gh` once, and a third of the cases use a
 * chain.
 */
const isFull = process.env["WAYBILL_PARITY"] === "full";

/** Steps of a chain cannot request groups of fields. */
function getModes({ include }: ParityCase, route: CardRouteName, place: number): readonly Mode[] {
  if (include !== undefined) return ["single"];
  if (route !== "cli" || isFull) return MODES;
  return place % 3 === 0 ? ["chained"] : ["single"];
}

function getParams({ params }: ParityCase, { github }: Embedded): Record<string, unknown> {
  return typeof params === "function" ? { ...params(github) } : { ...params };
}

async function call(
  embedded: Embedded,
  each: ParityCase,
  route: CardRouteName,
  mode: Mode,
  after?: string,
): Promise<ResultEnvelope> {
  const page = after === undefined ? {} : { after };
  const input = { ...getParams(each, embedded), ...page };
  const waybill = embedded.by(route);
  const { include } = each;
  if (mode === "single") {
    return waybill.execute(each.id, input, include === undefined ? {} : { include });
  }
  const { results, error } = await waybill.chain([{ task: each.id, input }]);
  expect(error).toBeNull();
  return results[0]!;
}

/** The answer of a route, with all its pages, and its effects. */
async function outcome(
  embedded: Embedded,
  each: ParityCase,
  route: CardRouteName,
  mode: Mode,
): Promise<unknown[]> {
  each.prepare?.(embedded.github);
  const before = embedded.github.applied();
  const first = await call(embedded, each, route, mode);
  expect(first.error, `${each.id} on ${route}, ${mode}`).toBeNull();
  each.expected(first.data as never);
  const isPart = isRecord(first.data) && first.data["truncated"] === true;
  const isDraft = each.id === "release.create";
  const warnings = [...(isPart ? ['"truncated" is true'] : []), ...(isDraft ? ["is a draft"] : [])];
  expect(first.meta.warnings ?? []).toEqual(warnings.map((part) => expect.stringContaining(part)));
  expect(appliedSince(before, embedded)).toEqual(each.applied ?? {});
  const cursor = first.meta.pagination?.end_cursor;
  if (each.hasNextPage) expect(typeof cursor).toBe("string");
  if (typeof cursor !== "string") return [comparable(first.data, each)];
  const second = await call(embedded, each, route, mode, cursor);
  expect(second.error, `${each.id} page 2 on ${route}, ${mode}`).toBeNull();
  return [comparable(first.data, each), comparable(second.data, each)];
}

function appliedSince(
  before: Readonly<Record<string, number>>,
  { github }: Embedded,
): Record<string, number> {
  const now = Object.entries(github.applied());
  const done = now.map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(done.filter(([, count]) => count > 0));
}

/**
 * Removes repeated requests: routes and modes send the same ones, and checking one of each is
 * enough.
 */
function withoutRepeats(exchanges: readonly Exchange[]): Exchange[] {
  const byText = exchanges.map((each) => {
    const { method, path, query, status, requestBody, responseBody } = each;
    const text = [method, path, query, status, requestBody, responseBody].join("\n");
    return [text, each] as const;
  });
  return [...new Map(byText).values()];
}

/** A GitHub that only one case uses at a time. */
class OwnWorld {
  readonly embedded: Embedded;
  /** Whether a write has changed the world, so that the next case needs a reset. */
  #isChanged = false;

  constructor(embedded: Embedded) {
    this.embedded = embedded;
  }

  async outcome(each: ParityCase, route: CardRouteName, mode: Mode): Promise<unknown> {
    const isWrite = !isReadOnly(each);
    if (this.#isChanged || isWrite) this.embedded.reset();
    this.#isChanged = isWrite;
    return outcome(this.embedded, each, route, mode);
  }
}

/**
 * The number of cases that run at the same time. Most of their time is spent waiting for `gh` to
 * start.
 */
const AT_ONCE = 4;

describe("route parity", () => {
  const exchanges: Exchange[] = [];
  const worlds: OwnWorld[] = [];
  const waiting: ((world: OwnWorld) => void)[] = [];
  const onExchange = (exchange: Exchange): void => void exchanges.push(exchange);
  beforeAll(async () => {
    for (let index = 0; index < AT_ONCE; index++) {
      worlds.push(new OwnWorld(await startEmbedded({ onExchange })));
    }
  });
  afterAll(() => Promise.all(worlds.map(({ embedded }) => embedded.close())));

  async function inOwnWorld<T>(work: (world: OwnWorld) => Promise<T>): Promise<T> {
    const world = worlds.pop() ?? (await new Promise<OwnWorld>((take) => waiting.push(take)));
    try {
      return await work(world);
    } finally {
      const next = waiting.shift();
      if (next === undefined) worlds.push(world);
      else next(world);
    }
  }

  async function askAll(each: ParityCase, world: OwnWorld): Promise<Map<string, unknown>> {
    const said = new Map<string, unknown>();
    for (const route of getRoutes(each)) {
      for (const mode of getModes(each, route, cases.indexOf(each))) {
        said.set(`${route}, ${mode}`, await world.outcome(each, route, mode));
      }
    }
    return said;
  }

  it.concurrent.each(
    cases.map((each) => [each.title ? `${each.id}: ${each.title}` : each.id, each] as const),
  )(
    'every route returns equal data, for a single call and in a chain, for the case "%s"',
    async (_, each) => {
      const said = await inOwnWorld((world) => askAll(each, world));
      const [first] = said.values();
      const alike = new Map([...said.keys()].map((where) => [where, first]));
      expect(said).toEqual(alike);
    },
  );

  it("the GitHub routes send and receive nothing that violates GitHub's OpenAPI description", async ({
    annotate,
  }) => {
    const described = exchanges.filter(({ kind }) => kind === "rest");
    const different = withoutRepeats(described);
    await annotate(`${different.length} different exchanges of ${described.length} are judged`);
    const problems = different.map(exchangeProblems);
    expect(new Set(problems.flatMap(({ request }) => request))).toEqual(NOT_DESCRIBED);
    expect(new Set(problems.flatMap(({ answer }) => answer))).toEqual(new Set());
    expect(described.length).toBeGreaterThan(isFull ? 900 : 300);
  });

  it("the parity cases compare the routes of every GitHub card", () => {
    const tried = new Set(cases.map(({ id }) => id));
    expect(cards.summaries.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
  });
});
