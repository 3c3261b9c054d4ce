import type { Token } from "./tokens.ts";

/** One of the expressions that a string must match, or must not match. */
export interface Condition {
  readonly isWanted: boolean;
  readonly tokens: readonly Token[];
}

const START: Token = { is: "start", text: "^" };
const OPEN: Token = { is: "open", text: "(?:", group: "group" };
const CLOSE: Token = { is: "close", text: ")" };

function getClose(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const { is } = tokens[at]!;
    if (is === "open") depth += 1;
    else if (is === "close") depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

function hasTopLevelOr(tokens: readonly Token[]): boolean {
  let depth = 0;
  return tokens.some(({ is }) => {
    if (is === "open") depth += 1;
    else if (is === "close") depth -= 1;
    return is === "or" && depth === 0;
  });
}

/**
 * Splits off lookaheads, which linear engines do not have. At the start of a string they are not
 * needed: `^(?=A)(?!B)C` is the same as three expressions, `^A`, not `^B` and `^C`.
 */
export function conditionsIn(tokens: readonly Token[]): Condition[] {
  if (tokens[0]?.is !== "start" || hasTopLevelOr(tokens)) return [{ isWanted: true, tokens }];
  const conditions: Condition[] = [];
  let at = 1;
  for (let token = tokens[at]; token?.is === "open"; token = tokens[at]) {
    if (token.group !== "ahead" && token.group !== "not-ahead") break;
    const close = getClose(tokens, at);
    const body = [START, OPEN, ...tokens.slice(at + 1, close), CLOSE];
    conditions.push({ isWanted: token.group === "ahead", tokens: body });
    at = close + 1;
  }
  return [...conditions, { isWanted: true, tokens: [START, ...tokens.slice(at)] }];
}
