import { wrapCursor } from "@waybill/core/cards";
import { isRecord } from "@waybill/core/schema";
import type { Operation } from "@waybill/core";
import type { PreparedCard, PreparedMapping } from "@waybill/core/cards";
import type { Params } from "./reading.ts";

/** Whether a mapping is the input `after` itself. */
function isAfter(mapping: PreparedMapping): boolean {
  return Array.isArray(mapping) && mapping.length === 1 && mapping[0] === "after";
}

/** Whether the REST route of a list uses page numbers. */
function hasNumberedPages({ parts }: PreparedCard): boolean {
  return (parts.rest ?? []).some((part) => {
    const query = part.kind === "rest" ? part.query : undefined;
    if (query === undefined || !("is" in query) || query.is !== "object") return false;
    return query.fields.some(([name, value]) => name === "page" && isAfter(value));
  });
}

function defaultSize({ inputSchema }: PreparedCard): unknown {
  const properties = isRecord(inputSchema) ? inputSchema["properties"] : undefined;
  const first = isRecord(properties) ? properties["first"] : undefined;
  return isRecord(first) ? first["default"] : undefined;
}

/** Reads `page=2`, as in REST and GitHub's MCP server, as a cursor of the REST route. */
export function withPageNumbers(operation: Operation, card: PreparedCard): Operation {
  const { spec } = operation;
  if (spec.normaliseInput === undefined || !hasNumberedPages(card)) return operation;
  const { normaliseInput } = spec;
  const read = (params: Params): Params => {
    const { page, ...others } = params;
    if (!/^[1-9]\d{0,8}$/u.test(String(page))) return normaliseInput(params);
    const input = normaliseInput(others);
    if (Number(page) === 1 || Object.hasOwn(input, "after")) return input;
    const size = input["first"] ?? defaultSize(card);
    return { ...input, after: wrapCursor("rest", `${String(page)}/${String(size)}`) };
  };
  return { ...operation, spec: { ...spec, normaliseInput: read } };
}
