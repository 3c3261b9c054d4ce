import { OperationRegistry, PendingRequestMap, buildCallHandler } from "@waybill/core";
import { wireWaybill } from "@waybill/core/protocol";
import type { OperationSpec, Waybill } from "@waybill/core";
import type { NatsLink } from "./link.ts";

const DRAIN_MS = 30_000;

/** A running worker. */
export interface NatsService {
  /** The operations that it serves. */
  readonly operations: readonly OperationSpec[];
  /**
   * Accepts no more requests and resolves when the running ones are answered. Requests that take
   * longer than this many milliseconds are aborted. The connection stays open.
   */
  drain(withinMs?: number): Promise<void>;
}

interface Served {
  readonly registry: OperationRegistry;
  readonly specs: readonly OperationSpec[];
}

/** Serves a registry directly. For a Waybill, policy, keys and approvals apply as well. */
function servedRegistry(what: Waybill | OperationRegistry): Promise<Served> | Served {
  return what instanceof OperationRegistry
    ? { registry: what, specs: what.list() }
    : wireWaybill(what);
}

/**
 * Serves a Waybill, or a registry, to every client of the NATS server that may call its service.
 * Several workers of one service share the calls.
 */
export async function serveNats(
  link: NatsLink,
  what: Waybill | OperationRegistry,
): Promise<NatsService> {
  const { registry, specs } = await servedRegistry(what);
  const { transport, connection } = link;
  const callMap = new PendingRequestMap({ transport });
  callMap.serve(buildCallHandler({ registry, callMap }), () => specs);
  // Waits for an answer of the server, because then it has registered the subscriptions.
  await connection.flush();
  return { operations: specs, drain: (withinMs = DRAIN_MS) => transport.drain(withinMs) };
}
