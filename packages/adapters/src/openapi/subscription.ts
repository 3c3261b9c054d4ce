import { fail, localEnvelope } from "@waybill/core";
import { exactIntegersMeta, parseExactJson } from "@waybill/core/schema";
import type { ExactJson } from "@waybill/core/schema";
import type { OperationContext, SubscriptionHandler } from "@waybill/core";
import { EventParser } from "../http/index.ts";
import type { HttpStream, StreamEvent } from "../http/index.ts";
import { essence } from "./operation/media-types.ts";
import type { OperationCall } from "./operation-call.ts";

/** Parses the data of an event if it is JSON. */
function parseEventData(text: string): ExactJson {
  try {
    return parseExactJson(text);
  } catch {
    return { value: text, integers: [] };
  }
}

/** An event, with a warning about integers that a number cannot hold. */
function readEvent(id: string, { data, ...event }: StreamEvent): unknown {
  const { value, integers } = parseEventData(data);
  const read = { ...event, data: value };
  if (integers.length === 0) return read;
  const { data: envelope, meta } = localEnvelope(read, id);
  const exact = exactIntegersMeta(integers.map((path) => `/data${path}`));
  return { data: envelope, meta: { ...meta, ...exact } };
}

function assertEvents(headers: Readonly<Record<string, string>>): void {
  const type = essence(headers["content-type"] ?? "");
  if (type === "text/event-stream") return;
  const message = `The upstream answered with ${type || "nothing"} instead of events. Call it with execute, or check the address`;
  throw fail("SERVER", message);
}

async function* eventsIn(id: string, { headers, chunks }: HttpStream): AsyncGenerator {
  assertEvents(headers);
  const parser = new EventParser();
  for await (const chunk of chunks) {
    for (const event of parser.push(chunk)) yield readEvent(id, event);
  }
}

function getEvents(
  call: OperationCall,
  input: unknown,
  { signal, deadline, identity }: OperationContext,
): AsyncGenerator<unknown, void, undefined> {
  const attempt = {
    effect: call.spec.effect,
    isRepeatable: false,
    signal,
    deadline,
    beforeSend: () => Promise.resolve(),
  };
  const asked = { params: input as Record<string, unknown>, identity };
  return call.stream(asked, attempt, (stream) => eventsIn(call.spec.id, stream));
}

/** Creates the subscription of an operation that answers with events. */
export function eventSubscription(call: OperationCall): SubscriptionHandler {
  return (input, context) => getEvents(call, input, context);
}
