import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  inputResponse,
} from "@modelcontextprotocol/server";
import type {
  ClientCapabilities,
  Implementation,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { Answer } from "./surface.ts";

/** The fields of a newer request's metadata that are used. The SDK has validated them. */
interface Envelope {
  readonly [CLIENT_INFO_META_KEY]?: Implementation;
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
}

/**
 * The name and version of the client. Newer clients send them with every request, older ones once.
 */
export function getClient(server: Server, { mcpReq }: ServerContext): Implementation | undefined {
  const envelope: Envelope = mcpReq.envelope ?? {};
  return envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
}

function getCapabilities(server: Server, { mcpReq }: ServerContext): ClientCapabilities {
  const envelope: Envelope = mcpReq.envelope ?? {};
  return envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
}

/** Whether the client can show forms. Old clients declare elicitation without details. */
export function canElicit(server: Server, context: ServerContext): boolean {
  const { elicitation } = getCapabilities(server, context);
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** Whether the client has a model that servers may use. */
export function canSample(server: Server, context: ServerContext): boolean {
  return getCapabilities(server, context).sampling !== undefined;
}

/** The answer to a question. Undefined if there is none. */
export function answerTo(question: string, { mcpReq }: ServerContext): Answer | undefined {
  const response = inputResponse(mcpReq.inputResponses, question);
  if (response.kind !== "elicit") return undefined;
  return { action: response.action, content: response.content ?? {} };
}
