import { setTimeout as delay } from "node:timers/promises";
import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream";
import { RequestError } from "@nats-io/transport-node";

/** Whether the error means that another writer was faster. */
export function isOvertaken(error: unknown): boolean {
  return (
    error instanceof JetStreamApiError &&
    (error.code === JetStreamApiCodes.StreamWrongLastSequence ||
      error.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown)
  );
}

const SUBJECTS_OVERLAP = 10_065;
const NAME_IN_USE = 10_058;

/** Whether another process creates the bucket at this moment. */
export function isBeingCreated(error: unknown): boolean {
  if (!(error instanceof JetStreamApiError)) return false;
  return error.code === SUBJECTS_OVERLAP || error.code === NAME_IN_USE;
}

/**
 * Whether the server says that nobody receives a message, so nothing was stored. A bucket that
 * another process has just created does not receive yet.
 */
export function isWithoutReceiver(error: unknown): boolean {
  return (
    error instanceof Error && error.cause instanceof RequestError && error.cause.isNoResponders()
  );
}

const NO_CLUSTER = 10_074;
const NO_SUITABLE_PEERS = 10_005;

/** Whether the cluster has fewer servers than requested. */
export function isTooManyReplicas(error: unknown): boolean {
  if (!(error instanceof JetStreamApiError)) return false;
  return error.code === NO_CLUSTER || error.code === NO_SUITABLE_PEERS;
}

const MAX_TRIES = 20;
const PAUSE_MS = 50;

/** Repeats a step for about a second while it fails with such an error. */
export async function whileNotReady<T>(
  isNotReady: (error: unknown) => boolean,
  step: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await step();
    } catch (error) {
      if (!isNotReady(error) || tries >= MAX_TRIES) throw error;
      await delay(PAUSE_MS);
    }
  }
}
