import type { Card } from "./card.ts";
import { ROUTE_MEMBERS, taskFinding } from "./check-steps.ts";
import type { Finding } from "./finding.ts";

const NOT_WITH_CODE = [...ROUTE_MEMBERS, "steps"] as const;

/** Finds problems of a card with a program, without parsing the program. */
export function codeFindings(card: Card, tasks: ReadonlySet<string> | undefined): Finding[] {
  if (card.code === undefined) {
    const message = `is allowed only in a card with "code"`;
    return card.calls === undefined ? [] : [{ pointer: "/calls", message }];
  }
  const stray = NOT_WITH_CODE.filter((name) => card[name] !== undefined);
  return [
    ...stray.map((name) => ({ pointer: `/${name}`, message: `cannot be combined with "code"` })),
    ...(card.calls ?? []).flatMap((id) => taskFinding(card, id, "/code", tasks)),
  ];
}
