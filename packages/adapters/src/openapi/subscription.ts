import { fail } from "@waybill/core";
import type { OperationContext, SubscriptionHandler } from "@waybill/core";
import { EventParser } from "../http/index.ts";
import type { HttpStream } from "../http/index.ts";
import { essence } from "./operation/media-types.ts";
import type { OperationCall } from "./operation-call.ts";

/** Data that is JSON is parsed. */
function parseEventData(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function assertEvents(headers: Readonly<Record<string, string>>): void {
  const type = essence(headers["content-type"] ?? "");
  if (type === "text/event-stream") return;
  const message = `The upstream answered with ${type || "nothing"} instead of events`;
  throw fail("SERVER", message);
}

async function* eventsIn({ headers, chunks }: HttpStream): AsyncGenerator {
  assertEvents(headers);
  const parser = new EventParser();
  for await (const chunk of chunks) {
    for (const { data, ...event } of parser.push(chunk))
      yield { ...event, data: parseEventData(data) };
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
  return call.stream(asked, attempt, eventsIn);
}

/** Creates the subscription of an operation that answers with events. */
export function eventSubscription(call: OperationCall): SubscriptionHandler {
  return (input, context) => getEvents(call, input, context);
}
