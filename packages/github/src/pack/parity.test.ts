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

/** A cursor may differ, since it names its route, and what is told by the clock. */
function comparable(data: unknown, { momentary = [] }: ParityCase): unknown {
  const mayDiffer = new Set(["endCursor", ...momentary]);
  return JSON.parse(JSON.stringify(data), (key, value: unknown) =>
    mayDiffer.has(key) && typeof value === "string" ? `some ${key}` : value,
  );
}

/** Starting `gh` is slow, so by default a case goes through it once; a third of the cases use a chain. */
const isFull = process.env["WAYBILL_PARITY"] === "full";

/** The steps of a chain cannot ask for groups of fields. */
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
  const warnings = isPart ? [expect.stringContaining('"truncated" is true')] : [];
  expect(first.meta.warnings ?? []).toEqual(warnings);
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

/** Routes and modes exchange the same, of which one is enough to judge. */
function withoutRepeats(exchanges: readonly Exchange[]): Exchange[] {
  const byText = exchanges.map((each) => {
    const { method, path, query, status, requestBody, responseBody } = each;
    const text = [method, path, query, status, requestBody, responseBody].join("\n");
    return [text, each] as const;
  });
  return [...new Map(byText).values()];
}

/** A GitHub that one case at a time has to itself. */
class OwnWorld {
  readonly embedded: Embedded;
  /** Whether a write has changed what the next case would see. */
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

/** Cases that run at once. Most of the time they wait for `gh` to start. */
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
  )("returns the same on every route, alone and in a chain: %s", async (_, each) => {
    const said = await inOwnWorld((world) => askAll(each, world));
    const [first] = said.values();
    const alike = new Map([...said.keys()].map((where) => [where, first]));
    expect(said).toEqual(alike);
  });

  it("sends and receives nothing that violates GitHub's OpenAPI description", async ({
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

  it("compares the routes of every card", () => {
    const tried = new Set(cases.map(({ id }) => id));
    expect(cards.summaries.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
  });
});
