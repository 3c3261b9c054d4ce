import { hasScope } from "../server/session.ts";
import { QueryError } from "./failure.ts";

/** Throws GraphQL's error, which names the field, the missing scope and the token's scopes. */
export function needScope(scopes: readonly string[], field: string, needed: string): void {
  if (hasScope(scopes, needed)) return;
  const own = scopes.map((one) => `'${one}'`).join(", ");
  throw new QueryError(
    "INSUFFICIENT_SCOPES",
    `Your token has not been granted the required scopes to execute this query. The '${field}' field requires one of the following scopes: ['${needed}'], but your token has only been granted the: [${own}] scopes. Please modify your token's scopes at: https://github.com/settings/tokens.`,
  );
}
