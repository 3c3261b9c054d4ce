import { can } from "../access.ts";
import type { Issue, PullRequest, User } from "../model.ts";
import type { Store } from "../store.ts";

/** Adds a reference event to each issue that a text mentions as "#12", once for each text. */
export function referTo(
  store: Store,
  actor: User,
  source: Issue | PullRequest,
  text: string,
): void {
  const { issues } = source.repository;
  const numbers = [...text.matchAll(/(?:^|[\s(])#(\d{1,9})\b/g)].map(([, digits]) =>
    Number(digits),
  );
  for (const number of new Set(numbers)) {
    const target = issues.get(number);
    if (target === undefined || target === source || !can(actor, target.repository, "READ"))
      continue;
    store.record("CrossReferencedEvent", actor, target, { other: source });
  }
}
