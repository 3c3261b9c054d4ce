import type { Issue } from "../issues/index.ts";

export interface IssueChanges {
  readonly added: readonly Issue[];
  readonly fixed: readonly Issue[];
}

/** Lists are made once for a graph, so the same two are compared only once. */
const compared = new WeakMap<readonly Issue[], { old: readonly Issue[]; found: IssueChanges }>();

/** Issues by id, as they were and as they are. */
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
