import { outsideSchema, outsideText } from "@waybill/core/cards";
import { isRecord } from "@waybill/core/schema";
import type { RelayedQuestion } from "./relayed-messages.ts";

/** A server's question without hidden characters, because a person decides by what they see. */
export function cleanQuestion(params: unknown): RelayedQuestion["params"] {
  const given = isRecord(params) ? params : {};
  const { message, requestedSchema } = given;
  return {
    ...given,
    ...(typeof message === "string" && { message: outsideText(message) }),
    ...(isRecord(requestedSchema) && { requestedSchema: outsideSchema(requestedSchema) }),
  };
}
