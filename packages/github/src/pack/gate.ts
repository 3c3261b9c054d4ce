import { createHash } from "node:crypto";
import { AccountGate } from "@waybill/core/cards";
import type { LimitStore } from "@waybill/core/cards";
import type { GithubHost } from "./github-host.ts";

/**
 * A name for an account that does not contain its token. Callers that use the token of `gh` share
 * one name per host.
 */
export function accountName({ host, restUrl, token, ghToken }: GithubHost): string {
  const secret = ghToken ?? (typeof token === "string" ? token : "gh");
  const parts = JSON.stringify([host, restUrl, secret]);
  return createHash("sha256").update(parts).digest("hex").slice(0, 32);
}

/** The rate limiter for all requests to a GitHub host with one token. */
export function githubGate(place: GithubHost, store?: LimitStore): AccountGate {
  return new AccountGate({ account: () => accountName(place), name: "GitHub", store });
}
