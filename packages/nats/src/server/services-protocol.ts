import type { NatsConnection, Subscription } from "@nats-io/transport-node";
import { guarded } from "../wire/guarded.ts";
import type { EndpointStats } from "./stats.ts";

/** How the worker identifies itself in the services protocol of NATS. */
export interface ServiceInfo {
  readonly name: string;
  readonly id: string;
  readonly version: string;
  readonly description: string;
  readonly queue: string;
  readonly started: Date;
  readonly endpoints: () => readonly EndpointStats[];
}

const VERBS = ["PING", "INFO", "STATS"] as const;
type Verb = (typeof VERBS)[number];

/**
 * The maximum number of endpoints in a message, so that the message stays within its size limit.
 */
const MAX_ENDPOINTS = 1_000;
const NANOSECONDS = 1_000_000;

/** Replaces the dots in an id, because the name of an endpoint must not have any. */
function endpointName({ id }: EndpointStats): string {
  return id.replaceAll(".", "_");
}

function getIdentity({ name, id, version, endpoints }: ServiceInfo): object {
  const operations = String(endpoints().length);
  return { name, id, version, metadata: { "waybill-operations": operations } };
}

function info(facts: ServiceInfo): object {
  const { description, queue } = facts;
  const endpoints = facts
    .endpoints()
    .slice(0, MAX_ENDPOINTS)
    .map((each) => ({ name: endpointName(each), subject: each.subject, queue_group: queue }));
  return { ...getIdentity(facts), description, endpoints };
}

function stats(facts: ServiceInfo): object {
  const { started, queue } = facts;
  const endpoints = facts
    .endpoints()
    .slice(0, MAX_ENDPOINTS)
    .map((each) => ({
      name: endpointName(each),
      subject: each.subject,
      queue_group: queue,
      num_requests: each.requests,
      num_errors: each.errors,
      last_error: each.lastError.slice(0, 200),
      processing_time: Math.round(each.processing * NANOSECONDS),
      average_processing_time: Math.round(
        (each.processing * NANOSECONDS) / Math.max(1, each.requests),
      ),
    }));
  return { ...getIdentity(facts), started: started.toISOString(), endpoints };
}

function serviceAnswer(verb: Verb, facts: ServiceInfo): string {
  const type = `io.nats.micro.v1.${verb.toLowerCase()}_response`;
  const said = verb === "PING" ? getIdentity(facts) : verb === "INFO" ? info(facts) : stats(facts);
  return JSON.stringify({ type, ...said });
}

/** Answers `$SRV.PING`, `INFO` and `STATS`, so that any NATS client can find the service. */
export function answerServices(connection: NatsConnection, facts: ServiceInfo): Subscription[] {
  return VERBS.flatMap((verb) =>
    ["", `.${facts.name}`, `.${facts.name}.${facts.id}`].map((whom) =>
      connection.subscribe(`$SRV.${verb}${whom}`, {
        callback: guarded((message) => void message.respond(serviceAnswer(verb, facts))),
      }),
    ),
  );
}
