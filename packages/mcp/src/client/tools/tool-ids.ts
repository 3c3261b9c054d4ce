import { createHash } from "node:crypto";
import { outsideText } from "@waybill/core/cards";

/** The maximum length of a name. Model APIs refuse longer names. */
const MAX_ID = 64;
const DIGEST_LENGTH = 8;

function nameDigest(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, DIGEST_LENGTH);
}

/** The name with only characters that an id may have. Dots stay if they separate words. */
function inIdLetters(name: string): string {
  return outsideText(name)
    .replaceAll(/[^\w.-]+/gu, "_")
    .replaceAll(/\.{2,}/gu, ".")
    .replaceAll(/^\.|\.$/gu, "");
}

function withDigest(source: string, letters: string, name: string): string {
  const room = MAX_ID - source.length - DIGEST_LENGTH - 2;
  const kept = letters.slice(0, Math.max(0, room)).replace(/\.$/u, "");
  return `${source}.${kept === "" ? "tool" : kept}-${nameDigest(name)}`;
}

function plainId(source: string, name: string): string {
  const letters = inIdLetters(name);
  const id = `${source}.${letters}`;
  return letters === "" || id.length > MAX_ID ? withDigest(source, letters, name) : id;
}

/**
 * An id for every name: the name itself if it is valid, otherwise its valid characters, with a
 * digest if that is too long or already taken. The result does not depend on the order of the
 * names.
 */
export function toolIds(source: string, names: readonly string[]): Map<string, string> {
  const claims = new Map<string, string[]>();
  for (const name of new Set(names)) {
    const id = plainId(source, name);
    claims.set(id, [...(claims.get(id) ?? []), name]);
  }
  const ids = new Map<string, string>();
  for (const [id, claimants] of claims) {
    for (const name of claimants) {
      const isOwner = claimants.length === 1 || id === `${source}.${name}`;
      ids.set(name, isOwner ? id : withDigest(source, inIdLetters(name), name));
    }
  }
  return ids;
}
