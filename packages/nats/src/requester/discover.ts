import { headers as newHeaders } from "@nats-io/transport-node";
import type { Msg } from "@nats-io/transport-node";
import { fail, isCallError } from "@waybill/core";
import type { CallError } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { OperationSpec } from "@waybill/core";
import { notConnected, sourceDown } from "../wire/failure.ts";
import { parseBody } from "../wire/json-body.ts";
import { HEADER, PROTOCOL_VERSION } from "../wire/request-headers.ts";
import type { Wire } from "../wire/wire.ts";
import { readWorkerSpec } from "./read-worker-spec.ts";

/**
 * How long to wait for the next message of a worker. If a description is not complete by then,
 * the workers are busy and are asked again with a longer wait.
 */
const STALLS_MS = [200, 2_000, 10_000] as const;
/**
 * How long to wait for the first message. The server reports immediately if there is no worker, but
 * a worker may be busy.
 */
const MAX_WAIT_MS = 30_000;
const MAX_OPERATIONS = 100_000;

/**
 * Collects the operations of all workers. If two workers have the same operation, the first
 * description counts.
 */
class Gathered {
  readonly specs = new Map<string, OperationSpec>();
  refusal: string | undefined;
  isAnswered = false;
  /** The newest version of the call protocol that a worker supports. */
  newest: number = PROTOCOL_VERSION;
  /** Workers whose last message has not arrived. */
  readonly #open = new Set<unknown>();

  get isWhole(): boolean {
    return this.#open.size === 0;
  }

  add(message: Msg): void {
    this.isAnswered = true;
    const said = parseBody(message.data);
    if (!isRecord(said)) return;
    const { operations, error, worker, more, protocol } = said;
    if (typeof protocol === "number" && protocol > PROTOCOL_VERSION) {
      this.newest = protocol;
      return;
    }
    if (more === true) this.#open.add(worker);
    else this.#open.delete(worker);
    if (typeof error === "string") this.refusal = error;
    for (const described of Array.isArray(operations) ? (operations as unknown[]) : []) {
      const spec = readWorkerSpec(described);
      if (spec === undefined || this.specs.size >= MAX_OPERATIONS) continue;
      if (!this.specs.has(spec.id)) this.specs.set(spec.id, spec);
    }
  }
}

async function gather(wire: Wire, gathered: Gathered, stall: number): Promise<void> {
  const { connection, subjects, identities } = wire;
  const headers = newHeaders();
  const token = identities.sign(undefined);
  if (token !== undefined) headers.set(HEADER.identity, token);
  const options = { strategy: "stall", stall, maxWait: MAX_WAIT_MS, headers } as const;
  const answers = await connection.requestMany(subjects.describe, "", options);
  try {
    for await (const message of answers) gathered.add(message);
  } catch (thrown) {
    throw asFailure(thrown, subjects.service);
  }
}

/** Asks every worker of a service for its operations. Throws if there is no worker. */
export async function discover(wire: Wire): Promise<readonly OperationSpec[]> {
  const { connection, subjects } = wire;
  if (connection.isClosed()) throw notConnected();
  const gathered = new Gathered();
  for (const stall of STALLS_MS) {
    await gather(wire, gathered, stall);
    if (gathered.isWhole) break;
  }
  const { specs, refusal, isAnswered, newest } = gathered;
  if (!isAnswered) {
    const message = `The workers of ${subjects.service} did not list their operations in time`;
    const hint = "The workers are busy. Try again, or start more workers";
    throw fail("TIMEOUT", message, { outcome: "not_applied", hint });
  }
  if (specs.size === 0 && newest > PROTOCOL_VERSION) throw newerWorkers(subjects.service, newest);
  if (specs.size === 0 && refusal !== undefined) {
    throw fail("AUTH", refusal, { outcome: "not_applied" });
  }
  return [...specs.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function newerWorkers(service: string, version: number): CallError {
  const known = `this Waybill speaks version ${PROTOCOL_VERSION}`;
  const message = `The workers of ${service} speak version ${version} of the call protocol, but ${known}. Update Waybill`;
  return fail("ADAPTER_UNSUPPORTED", message, { outcome: "not_applied" });
}

function asFailure(thrown: unknown, service: string): unknown {
  if (isCallError(thrown)) return thrown;
  return sourceDown(
    `No worker serves ${service} on this NATS server`,
    `Start a worker: waybill serve nats --service ${service}`,
  );
}
