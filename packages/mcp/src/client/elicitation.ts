import type { Client, CreateMessageResult } from "@modelcontextprotocol/client";
import { isRecord } from "@waybill/core/schema";
import { cleanQuestion } from "../relay/index.ts";
import type { RelayDesk } from "../relay/index.ts";
import type { Elicitation, ElicitationAnswer, McpSourceSettings } from "./settings.ts";

type Elicit = NonNullable<McpSourceSettings["elicit"]>;

/** Reads a question of a server, in either protocol version. */
export function readQuestion(params: unknown): Elicitation {
  const given = cleanQuestion(params);
  const { message, requestedSchema, url } = given;
  return {
    mode: given["mode"] === "url" ? "url" : "form",
    message: typeof message === "string" ? message : "",
    ...(isRecord(requestedSchema) && { requestedSchema }),
    ...(typeof url === "string" && { url }),
  };
}

export function writeAnswer({ action, content }: ElicitationAnswer): {
  action: ElicitationAnswer["action"];
  content?: Record<string, string | number | boolean | string[]>;
} {
  return action === "accept" && content !== undefined ? { action, content } : { action };
}

/**
 * Answers the questions of a server. They are requests in the older protocol, and parts of
 * results in the newer protocol.
 */
export function answerQuestions(client: Client, elicit: Elicit): void {
  client.setRequestHandler("elicitation/create", async (request, context) =>
    writeAnswer(await elicit(readQuestion(request.params), context.mcpReq.signal)),
  );
}

/** Whether questions of a server can be answered. */
export function canAnswer({ elicit, relay }: McpSourceSettings): boolean {
  return elicit !== undefined || relay !== undefined;
}

/** Passes a server's questions to the client whose call is running. */
export function relayQuestions(client: Client, relay: RelayDesk): void {
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    const result = await relay.ask("elicitation/create", params);
    return result as ReturnType<typeof writeAnswer>;
  });
}

/** Lets the model of the client that made the call answer. */
export function relaySampling(client: Client, relay: RelayDesk): void {
  client.setRequestHandler("sampling/createMessage", async ({ params }) => {
    const result = await relay.ask("sampling/createMessage", params);
    return result as unknown as CreateMessageResult;
  });
}
