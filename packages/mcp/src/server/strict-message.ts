import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { RequestId } from "@modelcontextprotocol/server";
import { errorFromUnknown } from "@waybill/core";
import { isRecord, parseStrictJson } from "@waybill/core/schema";

/** Why a message is refused. */
export interface Unreadable {
  readonly code: ProtocolErrorCode;
  readonly message: string;
  /** The request id that the answer belongs to, if it is known. */
  readonly id?: RequestId;
}

/** The id of a refused message. The client that waits for it gets an answer. */
export function messageId(message: unknown): RequestId | undefined {
  const id = isRecord(message) ? message["id"] : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

function parseStrictMessage(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/**
 * Parses a message in such a way that it has only one meaning. A message with a repeated name is
 * refused, because a gateway that checks calls may read the other value.
 */
export function readMessage(
  text: string,
): { readonly value: unknown } | { readonly problem: Unreadable } {
  const loosely = parseStrictMessage(text);
  if (loosely === undefined) {
    const message = "A message must be JSON. On stdio, it must be one line";
    return { problem: { code: ProtocolErrorCode.ParseError, message } };
  }
  try {
    return { value: parseStrictJson(text, { what: "The message", key: "id" }) };
  } catch (thrown) {
    const { message, details } = errorFromUnknown(thrown);
    // A message with two ids is answered without an id, because it is not clear which request it
    // belongs to.
    const id = details["key_twice"] === true ? undefined : messageId(loosely.value);
    const code = ProtocolErrorCode.InvalidRequest;
    return { problem: { code, message, ...(id !== undefined && { id }) } };
  }
}
