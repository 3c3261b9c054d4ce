import { outsideSchema, outsideText } from "@waybill/core/cards";
import { isRecord } from "@waybill/core/schema";
import type { RelayedQuestion } from "./relayed-messages.ts";

/** The address of a page that a person is asked to open. Only web pages are allowed. */
function webAddress(url: unknown): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}

/** A server's question without hidden characters, because a person decides by the visible text. */
export function cleanQuestion(params: unknown): RelayedQuestion["params"] {
  const { url, ...given } = isRecord(params) ? params : {};
  const { message, requestedSchema } = given;
  const address = webAddress(url);
  return {
    ...given,
    ...(address !== undefined && { url: address }),
    ...(typeof message === "string" && { message: outsideText(message) }),
    ...(isRecord(requestedSchema) && { requestedSchema: outsideSchema(requestedSchema) }),
  };
}
