import { afterAll, describe, expect, it } from "vitest";
import { openShop } from "../fixtures/shop.ts";
import { createCodeRunner } from "../run/index.ts";
import { ENDLESS } from "./fixtures/endless.ts";
import { ESCAPES } from "./fixtures/escapes.ts";
import { GREEDY, UNREADABLE } from "./fixtures/greedy.ts";
import { ENDLESS_NATIVES, GREEDY_NATIVES } from "./fixtures/natives.ts";

const CORPUS = 150;
/** Long enough for a program on a busy machine. Only a defect takes this long. */
const PATIENCE_MS = 900_000;
/** Programs that never end may be stopped early; the others get all the time they need. */
const impatient = createCodeRunner({ limits: { computeMs: 20 } });
const patient = createCodeRunner({
  limits: {
    deadlineMs: PATIENCE_MS,
    computeMs: PATIENCE_MS,
    calls: 60,
    writes: 50,
    memoryBytes: 8 << 20,
  },
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

it(`the corpus of hostile programs has at least ${CORPUS} programs`, () => {
  const all = [...ENDLESS, ...GREEDY.map(([, program]) => program), ...ESCAPES];
  expect(new Set(all).size).toBeGreaterThanOrEqual(CORPUS);
});

describe("programs that never end", () => {
  it.concurrent.each([...ENDLESS, ...ENDLESS_NATIVES])(
    "the sandbox stops an endless program and names the limit: %s",
    async (program) => {
      const { error } = await impatient.run(openShop().waybill, program);
      expect(error?.details).toMatchObject({ limit: "compute" });
    },
  );

  it("the sandbox runs the next program normally after it stopped an endless program", () =>
    expectAlive(patient));
});

describe("programs that use too much", () => {
  it.concurrent.each([...GREEDY, ...GREEDY_NATIVES])(
    "the sandbox stops a program at its limit for %s: %s",
    async (limit, program) => {
      const { error } = await patient.run(openShop().waybill, program);
      expect(error).toMatchObject({ details: { limit } });
    },
  );

  it("the sandbox runs the next program normally after it stopped a program at a limit", () =>
    expectAlive(patient));
});

describe("programs that overflow the parser's stack", () => {
  const readers = createCodeRunner({ limits: { computeMs: 1_000 } });
  afterAll(() => readers.close());

  it.each(UNREADABLE)(
    "the sandbox refuses a program that would overflow the parser's stack: %s",
    async (_what, program) => {
      const { error } = await readers.run(openShop().waybill, program);
      expect(error?.code).toMatch(/VALIDATION|TIMEOUT/);
    },
  );

  it("the sandbox runs the next program normally after it refused a program that would overflow the parser's stack", () =>
    expectAlive(patient));
});

describe("programs that try to escape", () => {
  it.concurrent.each(ESCAPES)("a program cannot escape from the sandbox: %s", async (program) => {
    const { data, error } = await patient.run(openShop().waybill, program);
    // A program may break itself, but it must not reach anything outside the sandbox.
    const found = error === null ? data : error.code;
    expect([{ value: "undefined" }, "VALIDATION", "NOT_FOUND", "TOO_LARGE"]).toContainEqual(found);
  });

  it("the sandbox runs the next program normally after an attempt to escape", () =>
    expectAlive(patient));
});
