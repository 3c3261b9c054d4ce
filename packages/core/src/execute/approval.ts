import { digestOf } from "../router/index.ts";

/** Hands out approvals for one call each and recognises them. */
export interface Approver {
  /** A text that approves exactly this call, by the id of whoever makes it, for a short while. */
  issue(capability: string, params: unknown, caller?: string): Promise<string>;
  check(approval: string, capability: string, params: unknown, caller?: string): Promise<boolean>;
}

export interface ApproverOptions {
  /** The secret behind the approvals; a random one, good for this process, unless given. */
  readonly key?: Uint8Array | (() => Promise<Uint8Array>);
  readonly lifeMs?: number;
  readonly now?: () => number;
}

const FIVE_MINUTES = 300_000;
const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const pairs = text.match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

async function message(
  expiry: string,
  capability: string,
  params: unknown,
  caller: string | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  // As JSON, so that no id reads like no caller at all.
  const parts = [expiry, capability, await digestOf(params), JSON.stringify(caller ?? null)];
  return new TextEncoder().encode(parts.join("\n"));
}

/**
 * An approval is `expiry.signature`, the signature over expiry, capability, params and caller: it
 * cannot be made without the key, nor used for another call or by another, nor kept for later.
 */
export function createApprover(options: ApproverOptions = {}): Approver {
  const { key: given = crypto.getRandomValues(new Uint8Array(32)) } = options;
  const now = options.now ?? Date.now;
  const lifeMs = options.lifeMs ?? FIVE_MINUTES;
  let imported: Promise<CryptoKey> | undefined;
  const importKey = async (): Promise<CryptoKey> => {
    const raw = typeof given === "function" ? await given() : given;
    return crypto.subtle.importKey("raw", Uint8Array.from(raw), HMAC, false, ["sign", "verify"]);
  };
  const key = (): Promise<CryptoKey> => (imported ??= importKey());
  return {
    async issue(capability, params, caller) {
      const expiry = (now() + lifeMs).toString(36);
      const signature = await crypto.subtle.sign(
        "HMAC",
        await key(),
        await message(expiry, capability, params, caller),
      );
      return `${expiry}.${toHex(signature)}`;
    },
    async check(approval, capability, params, caller) {
      const parts = /^([0-9a-z]{1,12})\.([0-9a-f]{64})$/.exec(approval);
      if (parts === null || Number.parseInt(parts[1]!, 36) < now()) return false;
      const bytes = await message(parts[1]!, capability, params, caller);
      return crypto.subtle.verify("HMAC", await key(), fromHex(parts[2]!), bytes);
    },
  };
}
