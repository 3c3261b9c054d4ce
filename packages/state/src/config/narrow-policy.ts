import { matchesId } from "@waybill/core/cards";
import type { PolicyConfig } from "./config.ts";

const STRICTER = ["none", "destructive", "writes"] as const;
type Confirm = (typeof STRICTER)[number];

/**
 * Whether a pattern covers another one. It does if it matches the other's text, with `*` read as
 * a plain character.
 */
function isCovered(pattern: string, by: readonly string[]): boolean {
  return by.some((outer) => matchesId(outer, pattern));
}

/**
 * The patterns that both lists allow. Patterns that overlap only partly are left out, to be
 * safe.
 */
function narrowAllow(
  user: readonly string[] | undefined,
  project: readonly string[] | undefined,
): readonly string[] | undefined {
  if (user === undefined || project === undefined) return user ?? project;
  const both = [
    ...project.filter((pattern) => isCovered(pattern, user)),
    ...user.filter((pattern) => isCovered(pattern, project)),
  ];
  return [...new Set(both)];
}

function isRestricted({ allow, deny = [], read_only }: PolicyConfig): boolean {
  return allow !== undefined || deny.length > 0 || read_only === true;
}

/** The raw operations that are enabled. If no rule disables them, all are. */
function getRaw(policy: PolicyConfig): readonly string[] {
  return isRestricted(policy) ? (policy.raw ?? []) : ["*"];
}

function stricter(a: Confirm, b: Confirm): Confirm {
  return STRICTER.indexOf(a) > STRICTER.indexOf(b) ? a : b;
}

/** Combines two policies. The project's policy can only narrow the user's. */
export function narrowPolicy(user: PolicyConfig, project: PolicyConfig): PolicyConfig {
  const allow = narrowAllow(user.allow, project.allow);
  const deny = [...(user.deny ?? []), ...(project.deny ?? [])];
  const confirm = stricter(user.confirm ?? "destructive", project.confirm ?? "none");
  const raw = narrowAllow(getRaw(user), getRaw(project)) ?? [];
  const isPersons = [user.approvals, project.approvals].includes("person");
  return {
    confirm,
    ...((user.read_only ?? false) || (project.read_only ?? false) ? { read_only: true } : {}),
    ...(allow !== undefined && { allow }),
    ...(deny.length > 0 && { deny }),
    ...((isRestricted(user) || isRestricted(project)) && raw.length > 0 && { raw }),
    ...(isPersons && { approvals: "person" as const }),
  };
}
