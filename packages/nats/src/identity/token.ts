import { createHmac, timingSafeEqual } from "node:crypto";
import { isRecord } from "@waybill/core/schema";
import type { Identity } from "@waybill/core";

const VERSION = "v1";

/** The claims of a token. */
export interface Claims {
  readonly identity: Identity;
  /** The service that the token is for. */
  readonly audience: string;
  /** When the token expires, in milliseconds since the epoch. */
  readonly expires: number;
}

function getMac(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

export function writeToken(key: string, { identity, audience, expires }: Claims): string {
  const { id, scopes, resources } = identity;
  const claims = JSON.stringify({ id, scopes, resources, aud: audience, exp: expires });
  const signed = `${VERSION}.${Buffer.from(claims).toString("base64url")}`;
  return `${signed}.${getMac(key, signed)}`;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isResources(value: unknown): value is Record<string, string[]> | undefined {
  return value === undefined || (isRecord(value) && Object.values(value).every(isTexts));
}

function claimsIn(text: string): Claims | undefined {
  const claims: unknown = JSON.parse(text);
  if (!isRecord(claims)) return undefined;
  const { id, scopes, resources, aud: audience, exp: expires } = claims;
  const isIdentity = typeof id === "string" && isTexts(scopes) && isResources(resources);
  if (!isIdentity || typeof audience !== "string" || typeof expires !== "number") return undefined;
  const identity = resources === undefined ? { id, scopes } : { id, scopes, resources };
  return { identity, audience, expires };
}

/** Reads the claims of a token that was signed with this key. Undefined for any other text. */
export function readToken(key: string, token: string): Claims | undefined {
  const parts = token.split(".");
  const [version, claims = "", mac = ""] = parts;
  if (version !== VERSION || parts.length !== 3) return undefined;
  // Compares the text of the signature, because several strings decode to the same bytes and
  // only one of them was signed.
  const [given, wanted] = [Buffer.from(mac), Buffer.from(getMac(key, `${version}.${claims}`))];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  return claimsIn(Buffer.from(claims, "base64url").toString());
}
