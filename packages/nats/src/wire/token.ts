import { randomBytes } from "node:crypto";

const LENGTH = 16;
const POOL_BYTES = 6_144;

let pool = "";
let at = 0;

/**
 * Ninety-six random bits as text that a subject may contain. A person who has seen one cannot
 * guess the next. Random bytes are drawn in large blocks, because each draw costs more than the
 * rest of a request.
 */
export function newToken(): string {
  if (at + LENGTH > pool.length) {
    pool = randomBytes(POOL_BYTES).toString("base64url");
    at = 0;
  }
  at += LENGTH;
  return pool.slice(at - LENGTH, at);
}
