import { fail } from "@waybill/core";

export type Token = string | undefined;

/**
 * A token, or a function that gets one on demand. The function should replace refused tokens if it
 * can.
 */
export type TokenSource = Token | ((refused?: readonly string[]) => Token | Promise<Token>);

export async function readToken(
  token: TokenSource | undefined,
  refused?: readonly string[],
): Promise<Token> {
  try {
    const value = (typeof token === "function" ? await token(refused) : token)?.trim();
    return value === "" ? undefined : value;
  } catch (cause) {
    const details = { outcome: "not_applied", phase: "connecting" } as const;
    throw fail(
      "AUTH",
      "The token could not be read; check the credential of this source",
      details,
      { cause },
    );
  }
}
