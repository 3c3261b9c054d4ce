import type { AnyPlayed } from "./select.ts";
import { SESSION, SHORT_SESSION } from "./session.ts";

/** A session with some number of operations, and the tokens of one operation in it. */
export interface SessionSize {
  readonly size: number;
  readonly tokens: (play: AnyPlayed) => number;
  readonly calls: (play: AnyPlayed) => number;
}

export const TEN: SessionSize = {
  size: SESSION,
  tokens: ({ tokens }) => tokens.total,
  calls: ({ sessionCalls }) => sessionCalls,
};

export const SESSION_SIZES: readonly SessionSize[] = [
  { size: 1, tokens: ({ tokens }) => tokens.single, calls: ({ calls }) => calls },
  {
    size: SHORT_SESSION,
    tokens: ({ tokens }) => tokens.three,
    calls: ({ calls, shortCalls = calls }) => shortCalls,
  },
  TEN,
];
