import type { Msg, MsgCallback } from "@nats-io/transport-node";

/**
 * Wraps a subscription callback so that it never throws. The NATS client throws when malformed
 * headers are read, and stops reading from its socket if a callback throws. One bad message
 * would then stop the whole connection.
 */
export function guarded(take: (message: Msg) => void): MsgCallback<Msg> {
  return (error, message) => {
    if (error !== null) return;
    try {
      take(message);
    } catch {
      // Ignored, so the sender of a bad message gets no answer.
    }
  };
}
