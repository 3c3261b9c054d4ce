import { afterAll, describe, expect, it } from "vitest";
import { openShop } from "../fixtures/shop.ts";
import { createCodeRunner } from "../run/index.ts";
import { ENDLESS } from "./fixtures/endless.ts";
import { ESCAPES } from "./fixtures/escapes.ts";
import { GREEDY, UNREADABLE } from "./fixtures/greedy.ts";

const CORPUS = 150;
/** Programs that never end may be ended early; the others are given all the time they need. */
const impatient = createCodeRunner({ limits: { computeMs: 20 } });
const patient = createCodeRunner({
  limits: { computeMs: 60_000, calls: 60, writes: 50, memoryBytes: 8 << 20 },
});
afterAll(() => {
  impatient.close();
  patient.close();
});

async function expectAlive(runner: typeof patient): Promise<void> {
  const { waybill } = openShop();
  const program =
    'const o = await order.view("octo/shop#2"); return o.number + [1].map((x) => x)[0]';
  expect(await runner.run(waybill, program)).toMatchObject({ ok: true, data: { value: 3 } });
}

it(`the corpus has at least ${CORPUS} programs`, () => {
  const all = [...ENDLESS, ...GREEDY.map(([, program]) => program), ...ESCAPES];
  expect(new Set(all).size).toBeGreaterThanOrEqual(CORPUS);
});

describe("a program that never ends", () => {
  it.concurrent.each(ENDLESS)(
    "a program that never ends is ended, and the limit is named: %s",
    async (program) => {
      const { error } = await impatient.run(openShop().waybill, program);
      expect(error?.details).toMatchObject({ limit: "compute" });
    },
  );

  it("does not disturb the next one", () => expectAlive(patient));
});

describe("a greedy program", () => {
  it.concurrent.each(GREEDY)(
    "a greedy program is stopped at its limit for %s: %s",
    async (limit, program) => {
      const { error } = await patient.run(openShop().waybill, program);
      expect(error).toMatchObject({ details: { limit } });
    },
  );

  it("does not disturb the next one", () => expectAlive(patient));
});

describe("a program that is made to fill the parser's stack", () => {
  const readers = createCodeRunner({ limits: { computeMs: 1_000 } });
  afterAll(() => readers.close());

  it.each(UNREADABLE)(
    "a program that is made to fill the parser's stack is refused: %s",
    async (_what, program) => {
      const { error } = await readers.run(openShop().waybill, program);
      expect(error?.code).toMatch(/VALIDATION|TIMEOUT/);
    },
  );

  it("does not disturb the next one", () => expectAlive(patient));
});

describe("an attempt to get out", () => {
  it.concurrent.each(ESCAPES)("gets hold of nothing: %s", async (program) => {
    const { data, error } = await patient.run(openShop().waybill, program);
    // A program may break itself; it must not find anything.
    const found = error === null ? data : error.code;
    expect([{ value: "undefined" }, "VALIDATION", "NOT_FOUND", "TOO_LARGE"]).toContainEqual(found);
  });

  it("does not disturb the next one", () => expectAlive(patient));
});
