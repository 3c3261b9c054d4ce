import { fail } from "@waybill/core";
import { exactIntegersMeta } from "@waybill/core/schema";
import type { PipelineMeta, RouteAnswer } from "@waybill/core/cards";
import type { GraphqlOperation } from "./source/graphql-operation.ts";

/** Converts paths in the data to paths within one of its fields. */
function placedBelow(field: string, meta: PipelineMeta): PipelineMeta {
  const { changes, warnings = [] } = meta;
  if (changes === undefined) return meta;
  const places = changes.map(({ path }) => path);
  const [old] = exactIntegersMeta(places).warnings ?? [];
  const own = exactIntegersMeta(places.map((path) => path.slice(field.length + 1)));
  const others = warnings.filter((warning) => warning !== old);
  return { ...meta, ...own, warnings: [...others, ...(own.warnings ?? [])] };
}

/** Returns the value of the single root field. Throws if the response lacks that field. */
export function pickRootField({ field }: GraphqlOperation, answer: RouteAnswer): RouteAnswer {
  if (field === undefined) return answer;
  const data = answer.response.data as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(data, field)) {
    throw fail(
      "SERVER",
      `The GraphQL response has no field ${field}. Check that the schema is still the one of this endpoint`,
      { outcome: "unknown" },
    );
  }
  const meta = placedBelow(field, answer.response.meta);
  return { ...answer, response: { data: data[field], meta } as typeof answer.response };
}
