import { fail } from "@waybill/core";

export type Token = string | undefined;

/** A token, or how to get one when it is needed. */
export type TokenSource = Token | (() => Token | Promise<Token>);

export async function readToken(token: TokenSource | undefined): Promise<Token> {
  try {
    const value = (typeof token === "function" ? await token() : token)?.trim();
    return value === "" ? undefined : value;
  } catch (cause) {
    const details = { outcome: "not_applied", phase: "connecting" } as const;
    throw fail("AUTH", "The token could not be read", details, { cause });
  }
}
