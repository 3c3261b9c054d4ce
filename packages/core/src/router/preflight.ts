import { PREFLIGHT_CODES, fail } from "../envelope/index.ts";
import type { CallError, ErrorCode, PreflightCode, Route, RouteReason } from "../envelope/index.ts";
import type { EnvironmentInfo, Skip } from "./route.ts";
import { compareVersions } from "./versions.ts";

/** The requirements of a capability before a route may be tried. */
export interface RouteNeeds {
  readonly route: Route;
  readonly minGhVersion?: string;
  readonly scopes?: readonly string[];
  /** Why this request exceeds a limit of the route. */
  readonly limitExceeded?: string;
}

/** Ignores the suffix of a version, because a release candidate has the features of its release. */
function isOlder(version: string, wanted: string): boolean {
  return compareVersions(version.split("-", 1)[0]!, wanted) < 0;
}

function programSkip(needs: RouteNeeds, facts: EnvironmentInfo): Skip | undefined {
  if (facts.ghAvailable === false) {
    return { code: "CLI_NOT_AVAILABLE", hint: "Install the GitHub CLI (gh)" };
  }
  const { ghVersion } = facts;
  const { minGhVersion } = needs;
  if (minGhVersion !== undefined && ghVersion !== undefined && isOlder(ghVersion, minGhVersion)) {
    return { code: "CLI_VERSION", hint: `Needs gh ${minGhVersion}, found ${ghVersion}` };
  }
  if (facts.ghAuthenticated === false) {
    return { code: "CLI_UNAUTHENTICATED", hint: "Run: gh auth login" };
  }
  return undefined;
}

function withHint(sentence: string, { tokenHint }: EnvironmentInfo): string {
  return tokenHint === undefined ? sentence : `${sentence}: ${tokenHint}`;
}

function tokenSkip(facts: EnvironmentInfo): Skip | undefined {
  if (facts.tokenPresent === false) {
    const lack = `No token for ${facts.host ?? "the host"}`;
    return { code: "TOKEN_MISSING", hint: withHint(lack, facts) };
  }
  const { tokenHost, host } = facts;
  if (tokenHost !== undefined && host !== undefined && tokenHost !== host) {
    const mismatch = `The token is for ${tokenHost}, not for ${host}`;
    return { code: "HOST_MISMATCH", hint: withHint(mismatch, facts) };
  }
  return undefined;
}

function scopeSkip(needs: RouteNeeds, facts: EnvironmentInfo): Skip | undefined {
  const known = facts.scopes;
  if (known === undefined) return undefined;
  const missing = (needs.scopes ?? []).filter((scope) => !known.includes(scope));
  if (missing.length === 0) return undefined;
  return { code: "SCOPE_MISSING", hint: `The token lacks the scope ${missing.join(", ")}` };
}

/**
 * Returns why these facts rule out a route, or undefined. An unknown fact does not rule out a
 * route.
 */
export function preflightSkip(needs: RouteNeeds, facts: EnvironmentInfo): Skip | undefined {
  if (needs.limitExceeded !== undefined) {
    return { code: "LIMIT_EXCEEDED", hint: needs.limitExceeded };
  }
  if (needs.route === "local") return undefined;
  if (facts.offline === true) return { code: "OFFLINE", hint: "The network is disabled" };
  if (facts.sourceDown === true) return { code: "SOURCE_DOWN" };
  const access = needs.route === "cli" ? programSkip(needs, facts) : tokenSkip(facts);
  return access ?? scopeSkip(needs, facts);
}

/** The reason shown for the next route when the preferred route was skipped. */
export function reasonForSkip(route: Route, code: PreflightCode): RouteReason {
  switch (code) {
    case "CLI_NOT_AVAILABLE":
    case "CLI_UNAUTHENTICATED":
      return route === "cli" ? code : "PREFLIGHT_FAILED";
    case "TOKEN_MISSING":
    case "HOST_MISMATCH":
    case "SOURCE_DOWN":
    case "OFFLINE":
      return "ENV_CONSTRAINT";
    case "ROUTE_NOT_CONFIGURED":
      return "ADAPTER_UNSUPPORTED";
    case "CLI_VERSION":
    case "LIMIT_EXCEEDED":
      return "CAPABILITY_LIMIT";
    default:
      return "PREFLIGHT_FAILED";
  }
}

/**
 * Reads why a route turned out to be unusable when it was tried. The route throws the reason in
 * `details.preflight`. Nothing was sent, and an immediate retry would not help.
 */
export function lateSkip({ message, details }: CallError): Skip | undefined {
  const { preflight, outcome } = details;
  if (outcome !== "not_applied" || !isPreflightCode(preflight)) return undefined;
  return { code: preflight, hint: message };
}

function isPreflightCode(value: unknown): value is PreflightCode {
  return typeof value === "string" && Object.hasOwn(PREFLIGHT_CODES, value);
}

/** A route that was not tried, and why. */
export interface SkippedRoute {
  readonly route: Route;
  readonly skip: Skip;
}

/** Names routes with the same problem together. */
function whyNone(skipped: readonly SkippedRoute[]): string {
  const routesByHint = new Map<string, Route[]>();
  for (const { route, skip } of skipped) {
    const hint = skip.hint ?? skip.code;
    routesByHint.set(hint, [...(routesByHint.get(hint) ?? []), route]);
  }
  return [...routesByHint].map(([hint, routes]) => `${routes.join(", ")}: ${hint}`).join("; ");
}

/** The error if no route could be tried. */
export function noRouteError(capability: string, skipped: readonly SkippedRoute[]): CallError {
  const why = whyNone(skipped);
  const message =
    why === ""
      ? `${capability} has no usable route here`
      : `No route of ${capability} is usable here (${why})`;
  const code = codeForSkips(skipped.map(({ skip }) => skip));
  return fail(code, message, { outcome: "not_applied" });
}

/**
 * The error code if every route was skipped: AUTH if credentials would fix one of them,
 * otherwise the code of the first.
 */
export function codeForSkips(skips: readonly Skip[]): ErrorCode {
  const codes = skips.map(({ code }) => PREFLIGHT_CODES[code].code);
  return codes.includes("AUTH") ? "AUTH" : (codes[0] ?? "ADAPTER_UNSUPPORTED");
}
