import { fail } from "@waybill/core";
import type { CallErrorDetails, Identity, Waybill } from "@waybill/core";
import type { HeaderOf } from "./connection.ts";
import type { BearerToken } from "./options.ts";

/** Whoever asks, and what they may call. */
export interface Caller {
  /** Undefined for a caller who is trusted as the program itself is. */
  readonly identity: Identity | undefined;
  readonly waybill: Waybill;
}

const TOKEN = /^Bearer +(\S+)$/iu;
/** As many characters of random text have 95 bits. */
const MIN_UNGUESSABLE = 16;

const wrongTokens = new WeakSet<object>();

function wrongToken(message: string, details: CallErrorDetails = {}): Error {
  const error = fail("AUTH", message, details);
  wrongTokens.add(error);
  return error;
}

/** Not to be mistaken for an upstream that refuses the token which Waybill has for it. */
export function isWrongToken(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && wrongTokens.has(thrown);
}

/**
 * Callers by their tokens. A map looks for the hash of a text first, so that how long it takes says
 * nothing of how much of a wrong token is right.
 */
export class Callers {
  readonly #trusted: Caller | undefined;
  readonly #byToken: ReadonlyMap<string, Caller>;
  /** By the whole header as most clients write it. */
  readonly #byHeader: ReadonlyMap<string, Caller>;

  constructor(waybill: Waybill, tokens: readonly BearerToken[] | undefined) {
    this.#trusted = tokens === undefined ? { identity: undefined, waybill } : undefined;
    this.#byToken = new Map(
      (tokens ?? []).map(({ token, identity }) => [
        token,
        { identity, waybill: identity === undefined ? waybill : waybill.as(identity) },
      ]),
    );
    this.#byHeader = new Map(
      [...this.#byToken].map(([token, caller]) => [`Bearer ${token}`, caller]),
    );
  }

  /** Whose request it is; throws for a token that is missing or unknown. */
  find(header: HeaderOf): Caller {
    if (this.#trusted !== undefined) return this.#trusted;
    const given = header("authorization") ?? "";
    return this.#byHeader.get(given) ?? this.#read(given);
  }

  /** Whether the token is long enough that nobody finds a right one by trying. */
  isUnguessable(header: HeaderOf): boolean {
    if (this.#trusted !== undefined) return true;
    return (TOKEN.exec(header("authorization") ?? "")?.[1]?.length ?? 0) >= MIN_UNGUESSABLE;
  }

  #read(given: string): Caller {
    const token = TOKEN.exec(given)?.[1];
    if (token === undefined) {
      throw wrongToken("A bearer token is needed", { hint: "authorization: Bearer <token>" });
    }
    const caller = this.#byToken.get(token);
    if (caller === undefined) throw wrongToken("The bearer token is not known here");
    return caller;
  }
}
