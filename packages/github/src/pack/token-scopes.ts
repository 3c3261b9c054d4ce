import type { RouteAnswer } from "@waybill/core/cards";
import { headerIn } from "./incompleteness.ts";

/** The scopes that a scope includes. */
const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  repo: ["public_repo", "repo:status", "repo_deployment", "repo:invite", "notifications"],
  project: ["read:project"],
  user: ["read:user", "user:email", "user:follow"],
  "admin:org": ["write:org", "read:org"],
  "write:org": ["read:org"],
  "write:packages": ["read:packages"],
  "admin:repo_hook": ["write:repo_hook", "read:repo_hook"],
  "admin:public_key": ["write:public_key", "read:public_key"],
};

/**
 * The scopes that an answer reports; undefined for a token without scopes, such as a fine-grained
 * one.
 */
export function scopesIn(answer: RouteAnswer): readonly string[] | undefined {
  const header = headerIn(answer, "x-oauth-scopes");
  if (header === undefined) return undefined;
  const named = header
    .split(",")
    .map((scope) => scope.trim())
    .filter((scope) => scope !== "");
  return [...new Set(named.flatMap((scope) => [scope, ...(IMPLIED[scope] ?? [])]))];
}
