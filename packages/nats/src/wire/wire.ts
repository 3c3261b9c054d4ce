import { headers as newHeaders } from "@nats-io/transport-node";
import type { MsgHdrs, NatsConnection } from "@nats-io/transport-node";
import type { Identities } from "../identity/identities.ts";
import type { Bodies } from "./bodies.ts";
import { HEADER } from "./request-headers.ts";
import type { Subjects } from "./subjects.ts";

/** What both ends of a service speak with. */
export interface Wire {
  readonly connection: NatsConnection;
  readonly subjects: Subjects;
  readonly bodies: Bodies;
  readonly identities: Identities;
}

/** A message before it is sent. */
export interface Outgoing {
  readonly subject: string;
  readonly body: Uint8Array;
  readonly headers?: MsgHdrs | undefined;
  readonly reply?: string | undefined;
}

export function headersOf({ headers }: { readonly headers?: MsgHdrs | undefined }): MsgHdrs {
  return headers ?? newHeaders();
}

export function publish({ connection }: Wire, message: Outgoing): void {
  const { subject, body, headers, reply } = message;
  connection.publish(subject, body, {
    ...(headers !== undefined && { headers }),
    ...(reply !== undefined && { reply }),
  });
}

/** Puts a body that is too large into the object store and sends its name instead. */
export async function publishLarge(
  wire: Wire,
  message: Outgoing & { readonly headers: MsgHdrs },
  isWanted: () => boolean,
): Promise<void> {
  const name = await wire.bodies.put(message.body);
  if (!isWanted()) return;
  message.headers.set(HEADER.body, name);
  publish(wire, { ...message, body: new Uint8Array() });
}
