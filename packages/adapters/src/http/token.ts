import { agentErrorCode, fail, isCallError } from "@waybill/core";

export type Token = string | undefined;

/**
 * A token, or a function that gets one on demand. If possible, the function replaces a token
 * that was refused.
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
    // Errors of Waybill's own token sources say what to do, such as signing in again. Other
    // errors may quote the secret.
    if (isCallError(cause) && agentErrorCode(cause) === "AUTH") throw cause.with(details);
    throw fail(
      "AUTH",
      "The token could not be read; check the credential of this source",
      details,
      { cause },
    );
  }
}
