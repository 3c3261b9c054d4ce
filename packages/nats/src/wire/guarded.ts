import type { Msg, MsgCallback } from "@nats-io/transport-node";

/**
 * A subscription callback that never throws. The NATS client throws when malformed headers are
 * read, and stops reading from its socket when a callback throws. One bad message would silence the
 * whole connection.
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
