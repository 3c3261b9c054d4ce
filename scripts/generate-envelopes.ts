import { ResponseEnvelopeSchema } from "@waybill/core";
import { CardSchema } from "@waybill/core/cards";
import { ResultEnvelopeSchema, ToolEnvelopeSchema } from "@waybill/core/schema";

/** The shapes that other programs rely on, as data: for tools that do not run ours, and for drift. */
export function renderEnvelopes(): string {
  return JSON.stringify({
    ResultEnvelope: ResultEnvelopeSchema,
    ResponseEnvelope: ResponseEnvelopeSchema,
    ToolEnvelope: ToolEnvelopeSchema,
    Card: CardSchema,
  });
}
