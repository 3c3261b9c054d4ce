import { ResponseEnvelopeSchema } from "@waybill/core";
import { CardSchema } from "@waybill/core/cards";
import { ResultEnvelopeSchema, ToolEnvelopeSchema } from "@waybill/core/schema";

/** The JSON Schemas of the envelopes, for programs in other languages and to detect changes. */
export function renderEnvelopes(): string {
  return JSON.stringify({
    ResultEnvelope: ResultEnvelopeSchema,
    ResponseEnvelope: ResponseEnvelopeSchema,
    ToolEnvelope: ToolEnvelopeSchema,
    Card: CardSchema,
  });
}
