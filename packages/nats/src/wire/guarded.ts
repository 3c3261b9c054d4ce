import type { Msg, MsgCallback } from "@nats-io/transport-node";

/**
 * A callback of a subscription that lets nothing out. The client reads a message's headers when
 * they are requested, throws where they are malformed, and stops reading from its socket when a
 * callback does: one message of anybody would silence the whole connection.
 */
export function guarded(take: (message: Msg) => void): MsgCallback<Msg> {
  return (error, message) => {
    if (error !== null) return;
    try {
      take(message);
    } catch {
      // The sender gets no answer.
    }
  };
}
