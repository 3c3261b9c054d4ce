import type { Issue } from "../issues/index.ts";

export interface IssueChanges {
  readonly added: readonly Issue[];
  readonly fixed: readonly Issue[];
}

/** Cached: each graph has one list of issues, so two lists are compared only once. */
const compared = new WeakMap<readonly Issue[], { old: readonly Issue[]; found: IssueChanges }>();

/** Compares the issues before and now by id. */
export function compareIssues(old: readonly Issue[], now: readonly Issue[]): IssueChanges {
  const known = compared.get(now);
  if (known?.old === old) return known.found;
  const oldIds = new Set(old.map(({ id }) => id));
  const newIds = new Set(now.map(({ id }) => id));
  const found = {
    added: now.filter(({ id }) => !oldIds.has(id)),
    fixed: old.filter(({ id }) => !newIds.has(id)),
  };
  compared.set(now, { old, found });
  return found;
}
