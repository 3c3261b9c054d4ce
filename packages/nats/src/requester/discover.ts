import { headers as newHeaders } from "@nats-io/transport-node";
import type { Msg } from "@nats-io/transport-node";
import { fail, isCallError } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { OperationSpec } from "@waybill/core";
import { notConnected, sourceDown } from "../wire/failure.ts";
import { parseBody } from "../wire/json-body.ts";
import { HEADER } from "../wire/request-headers.ts";
import type { Wire } from "../wire/wire.ts";
import { heardSpec } from "./heard-spec.ts";

/**
 * How long the next message may take after one has come. If a description is not whole then, the
 * workers are busy and are asked again with more patience.
 */
const STALLS_MS = [200, 2_000, 10_000] as const;
/** A service without workers is reported at once; a worker may be busy. */
const MAX_WAIT_MS = 30_000;
const MAX_OPERATIONS = 100_000;

/** Collects the operations of all workers. For duplicates the first one counts. */
class Gathered {
  readonly specs = new Map<string, OperationSpec>();
  refusal: string | undefined;
  isAnswered = false;
  /** Workers whose last message has not come. */
  readonly #open = new Set<unknown>();

  get isWhole(): boolean {
    return this.#open.size === 0;
  }

  add(message: Msg): void {
    this.isAnswered = true;
    const said = parseBody(message.data);
    if (!isRecord(said)) return;
    const { operations, error, worker, more } = said;
    if (more === true) this.#open.add(worker);
    else this.#open.delete(worker);
    if (typeof error === "string") this.refusal = error;
    for (const described of Array.isArray(operations) ? (operations as unknown[]) : []) {
      const spec = heardSpec(described);
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
  const { specs, refusal, isAnswered } = gathered;
  if (!isAnswered) {
    const message = `The workers of ${subjects.service} do not describe their operations`;
    throw fail("TIMEOUT", message, { outcome: "not_applied" });
  }
  if (specs.size === 0 && refusal !== undefined) {
    throw fail("AUTH", refusal, { outcome: "not_applied" });
  }
  return [...specs.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function asFailure(thrown: unknown, service: string): unknown {
  if (isCallError(thrown)) return thrown;
  return sourceDown(
    `No worker serves ${service} on this NATS server`,
    `Start a worker: waybill serve nats --service ${service}`,
  );
}
