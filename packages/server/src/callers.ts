import { createHash } from "node:crypto";
import { fail } from "@waybill/core";
import type { Identity, Waybill } from "@waybill/core";
import type { BearerToken } from "./options.ts";

/** Whoever asks, and what they may call. */
export interface Caller {
  /** Undefined for a caller who is trusted as the program itself is. */
  readonly identity: Identity | undefined;
  readonly waybill: Waybill;
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}

/** Callers by their tokens. Tokens are compared by digest, which tells nothing by how long it takes. */
export class Callers {
  readonly #trusted: Caller | undefined;
  readonly #byDigest: ReadonlyMap<string, Caller>;

  constructor(waybill: Waybill, tokens: readonly BearerToken[] | undefined) {
    this.#trusted = tokens === undefined ? { identity: undefined, waybill } : undefined;
    this.#byDigest = new Map(
      (tokens ?? []).map(({ token, identity }) => [
        digestOf(token),
        { identity, waybill: identity === undefined ? waybill : waybill.as(identity) },
      ]),
    );
  }

  /** Whose request it is; throws for a token that is missing or unknown. */
  find(headers: Headers): Caller {
    if (this.#trusted !== undefined) return this.#trusted;
    const given = headers.get("authorization");
    const token = given === null ? undefined : /^Bearer +(\S+)$/iu.exec(given)?.[1];
    if (token === undefined) {
      throw fail("AUTH", "A bearer token is needed", { hint: "authorization: Bearer <token>" });
    }
    const caller = this.#byDigest.get(digestOf(token));
    if (caller === undefined) throw fail("AUTH", "The bearer token is not known here");
    return caller;
  }
}
