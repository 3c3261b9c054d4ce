import { describe, expect, it } from "vitest";
import type { Mode, Text, Trajectory, Turn, Variant } from "../types.ts";
import { play } from "./fixtures/sample.ts";
import { contextRead, countCalls, countTokens, shareLookups } from "./index.ts";
import { getShare } from "./session.ts";

function text(words: string, tokens: number): Text {
  return { what: words, text: words, tokens };
}

function look(page: string, tokens: number, joined = false): Turn {
  const turn = { purpose: "discover", send: text(page, 1), read: text(page, tokens - 1) } as const;
  return joined ? { ...turn, joined: true } : turn;
}

const CALL: Turn = { purpose: "call", send: text("do", 4), read: text("done", 6) };

function trajectory(scenario: string, turns: Turn[], variant: Variant = "plain"): Trajectory {
  return { scenario, mode: "gh-help", variant, definitions: [text("start", 100)], turns };
}

function totals(trajectories: readonly Trajectory[]): number[] {
  const played = trajectories.map(({ scenario, mode, variant, turns, definitions }) => ({
    ...play({ scenario, mode, variant, calls: countCalls(turns) }),
    tokens: countTokens({ definitions, turns }),
  }));
  return shareLookups(played, trajectories).map(({ tokens }) => tokens.total);
}

describe("share of a text that a session reads once", () => {
  it.each([
    ["no other operation needs the text", 0, 60, 10, 1],
    ["all of ten operations need the text", 9, 10, 10, 1 / 10],
    ["all of sixty operations need the text", 59, 60, 10, 1 / 10],
    // The session has one more scenario, drawn from two. If the drawn one also needs the page, the
    // share is 1/2, otherwise 1.
    ["one of two other operations needs the text, in sessions of two", 1, 3, 2, 3 / 4],
    // Two more scenarios, drawn from three: in 1/3 of the draws both need the page, otherwise one
    // does.
    ["two of three other operations need the text, in sessions of three", 2, 4, 3, 1 / 9 + 2 / 6],
    ["there are fewer operations than a session has", 2, 3, 10, 1 / 3],
  ])(
    "the share of one operation in the cost of a text is computed when %s",
    (_, others, scenarios, session, share) => {
      expect(getShare(others, scenarios, session)).toBeCloseTo(share, 12);
    },
  );

  it.each([1, 2, 7, 30, 60])(
    "the shares of a text that %d operations need add up to its expected readings per session",
    (k) => {
      const [n, s] = [60, 10];
      let without = 1;
      for (let index = 0; index < s; index += 1)
        without *= Math.max(0, n - k - index) / (n - index);
      expect(k * (s / n) * getShare(k - 1, n, s)).toBeCloseTo(1 - without, 12);
    },
  );
});

describe("plays as part of a session", () => {
  it("plays share the cost of only those lookups that have equal words", () => {
    const three = [
      trajectory("a", [look("page", 60), look("own", 8), CALL]),
      trajectory("b", [look("page", 60), CALL]),
      trajectory("c", [CALL, CALL]),
    ];
    // The session contains all three scenarios: two of them share the page, and the rest is
    // unchanged.
    expect(totals(three)).toEqual([10 + 30 + 8 + 10, 10 + 30 + 10, 10 + 20]);
  });

  it("a lookup has an equal share in a play with a fault and in the play without a fault", () => {
    const plays = [
      trajectory("a", [look("page", 60), CALL]),
      trajectory("b", [look("page", 60), CALL]),
      trajectory("a", [look("page", 60), look("more", 20), CALL, CALL], "fault"),
    ];
    expect(totals(plays)).toEqual([50, 50, 10 + 30 + 20 + 20]);
  });

  it("a repeated lookup of one play is counted once", () => {
    expect(totals([trajectory("a", [look("page", 60), look("page", 60), CALL])])).toEqual([80]);
  });

  it("a call that looks up two pages is counted by the share of the less used page", () => {
    const plays = [
      trajectory("a", [look("page", 60), look("own", 8, true), CALL]),
      trajectory("b", [look("page", 60), CALL]),
    ];
    const played = plays.map(({ scenario, mode, turns, definitions }) => ({
      ...play({ scenario, mode, calls: countCalls(turns) }),
      tokens: countTokens({ definitions, turns }),
    }));
    expect(played.map(({ calls }) => calls)).toEqual([2, 2]);
    expect(shareLookups(played, plays).map(({ sessionCalls }) => sessionCalls)).toEqual([2, 1.5]);
  });

  it("shareLookups leaves plays unchanged that have no trajectory or another mode", () => {
    const mode: Mode = "gh-known";
    expect(shareLookups([play({ mode, total: 7 })], [])).toEqual([play({ mode, total: 7 })]);
  });
});

it("contextRead counts for each call the start text and half of the tokens that the session adds", () => {
  // The start text has 10 tokens, which is 1 for each of ten operations. The operations add 100 and
  // 200 tokens, 150 on average.
  const plays = [play({ total: 11, calls: 1 }), play({ scenario: "b", total: 21, calls: 3 })];
  expect(contextRead(plays)).toBe(2 * (10 + 150 / 2));
});
