import { CallError } from "@waybill/core";
import { explainText } from "@waybill/core/protocol";
import type { ListCapabilitiesOptions } from "@waybill/core";
import { json, text, wantsText } from "../answers.ts";
import type { Route } from "./route.ts";

const NAMES: readonly string[] = ["query", "domain", "limit"];

function listOptions(query: URLSearchParams): ListCapabilitiesOptions {
  const stray = [...query.keys()].find((name) => !NAMES.includes(name));
  if (stray !== undefined) {
    throw new CallError("VALIDATION_ERROR", `Unknown parameter ${stray}; use ${NAMES.join(", ")}`);
  }
  const { limit, ...words } = Object.fromEntries(query) as Record<string, string>;
  if (limit === undefined) return words;
  if (!/^\d{1,6}$/u.test(limit)) {
    throw new CallError("VALIDATION_ERROR", "limit must be a whole number");
  }
  return { ...words, limit: Number(limit) };
}

/** `GET /v1/capabilities` */
export const capabilities: Route = async ({ query, caller }) =>
  json(await caller.waybill.list_capabilities(listOptions(query)));

/** `GET /v1/explain/{id}`: answers JSON, or short text if the client prefers text. */
export const explain: Route = async ({ header, id, caller }) => {
  const summary = await caller.waybill.explain(id);
  return wantsText(header) ? text(explainText(summary)) : json(summary);
};
