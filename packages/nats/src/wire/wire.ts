import type { MsgHdrs, NatsConnection } from "@nats-io/transport-node";
import type { Identities } from "../identity/identities.ts";
import type { Bodies } from "./bodies.ts";
import type { Outbox, Outgoing } from "./outbox.ts";
import { HEADER } from "./request-headers.ts";
import type { Subjects } from "./subjects.ts";

/** The parts that both ends of a service share. */
export interface Wire {
  readonly connection: NatsConnection;
  readonly outbox: Outbox;
  readonly subjects: Subjects;
  readonly bodies: Bodies;
  readonly identities: Identities;
}

const NOTHING = new Uint8Array();

/** Stores a body that is too large, and sends its name instead. */
export async function sendLarge(
  { bodies, outbox }: Wire,
  message: Outgoing & { readonly headers: MsgHdrs },
  isWanted: () => boolean,
): Promise<void> {
  const name = await bodies.put(message.body);
  if (!isWanted()) return;
  message.headers.set(HEADER.body, name);
  outbox.send({ ...message, body: NOTHING });
}
