import { expect, it } from "vitest";
import { play } from "./fixtures/sample.ts";
import { SESSION_SIZES, meanPrice, meanSeconds } from "./index.ts";

const tokens = { definitions: 30, sent: 10, read: 20, total: 33, anew: 33, three: 40, single: 60 };
const operation = { ...play({ calls: 2 }), tokens, shortCalls: 1.5, sessionCalls: 1 };

it.each([
  // 10 tokens written and 50 read. Two calls each read the start text and half of what is added.
  ["one", 0, 5 * 10 + 1.25 * 50 + 0.1 * 2 * (30 + 30 / 2), 11.2],
  ["three", 1, 5 * 10 + 1.25 * 30 + 0.1 * 1.5 * (30 + (3 * 30) / 2), 8.4],
  ["ten", 2, 5 * 10 + 1.25 * 23 + 0.1 * (30 + (10 * 30) / 2), 5.6],
])(
  "price and seconds of an operation are computed for a session with this number of operations: %s",
  (_, at, price, seconds) => {
    const session = SESSION_SIZES[at];
    expect(meanPrice([operation], session)).toBeCloseTo(price);
    expect(meanSeconds([operation], session)).toBeCloseTo(seconds);
  },
);
