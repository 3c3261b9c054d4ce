import type { Identity, Waybill } from "@waybill/core";
import type { HeaderReader } from "./connection.ts";
import { Oidc } from "./oidc.ts";
import type { HttpAppOptions } from "./options.ts";
import type { CallerLimits } from "./rate-limit.ts";
import { unknownToken, wrongToken } from "./wrong-token.ts";

/** A caller and its permissions. */
export interface Caller {
  /** The identity. Undefined for a caller that is trusted like the program itself. */
  readonly identity: Identity | undefined;
  readonly waybill: Waybill;
  /** The caller's own limits (default: those of the server). */
  readonly limits?: Partial<CallerLimits> | undefined;
}

const TOKEN = /^Bearer +(\S+)$/iu;
/** The length from which a token cannot be guessed: a random token of this length has 95 bits. */
const MIN_UNGUESSABLE = 16;

/**
 * Finds callers by token. A Map compares hashes first, so the time does not reveal how much of a
 * wrong token is correct.
 */
export class Callers {
  readonly #waybill: Waybill;
  readonly #oidc: Oidc | undefined;
  readonly #trusted: Caller | undefined;
  readonly #byToken: ReadonlyMap<string, Caller>;
  /** Callers by the complete header, for the form of the header that most clients send. */
  readonly #byHeader: ReadonlyMap<string, Caller>;

  constructor({ waybill, tokens, oidc }: Pick<HttpAppOptions, "waybill" | "tokens" | "oidc">) {
    this.#waybill = waybill;
    this.#oidc = oidc === undefined ? undefined : new Oidc(oidc);
    const isOpen = tokens === undefined && oidc === undefined;
    this.#trusted = isOpen ? { identity: undefined, waybill } : undefined;
    this.#byToken = new Map(
      (tokens ?? []).map(({ token, identity, limits }) => [
        token,
        { identity, waybill: identity === undefined ? waybill : waybill.as(identity), limits },
      ]),
    );
    this.#byHeader = new Map(
      [...this.#byToken].map(([token, caller]) => [`Bearer ${token}`, caller]),
    );
  }

  /**
   * Returns the caller of a request. Throws for a token that is missing, unknown or not accepted.
   */
  find(header: HeaderReader): Caller | Promise<Caller> {
    if (this.#trusted !== undefined) return this.#trusted;
    const given = header("authorization") ?? "";
    return this.#byHeader.get(given) ?? this.#read(given);
  }

  /** Whether the token is too long to be guessed. */
  isUnguessable(header: HeaderReader): boolean {
    if (this.#trusted !== undefined) return true;
    return (TOKEN.exec(header("authorization") ?? "")?.[1]?.length ?? 0) >= MIN_UNGUESSABLE;
  }

  #read(given: string): Caller | Promise<Caller> {
    const token = TOKEN.exec(given)?.[1];
    if (token === undefined) {
      throw wrongToken("A bearer token is required", {
        hint: "Send the header authorization: Bearer <token>",
      });
    }
    const caller = this.#byToken.get(token);
    if (caller !== undefined) return caller;
    if (this.#oidc === undefined) throw unknownToken();
    return this.#signedIn(this.#oidc, token);
  }

  async #signedIn(oidc: Oidc, token: string): Promise<Caller> {
    const { identity, limits } = await oidc.verify(token);
    return { identity, waybill: this.#waybill.as(identity), limits };
  }
}
