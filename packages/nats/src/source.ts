import { PendingRequestMap } from "@waybill/core";
import { lateSource, oneRouteOperation } from "@waybill/core/cards";
import { EXECUTE_ID } from "@waybill/core/protocol";
import type { Attempt, Operation, OperationContext, OperationSpec, Source } from "@waybill/core";
import type { LateOperations, RouteAnswer, RoutedRequest } from "@waybill/core/cards";
import type { LocalRun } from "@waybill/core/protocol";
import { connectNats } from "./link.ts";
import type { NatsLink, NatsOptions } from "./link.ts";
import { Patience } from "./requester/repeat-while-recovering.ts";

export interface NatsSourceOptions {
  /**
   * Whether all workers share one journal (`natsJournal`). Then a write with a key whose answer
   * was lost is sent again automatically, because it cannot be applied twice.
   */
  readonly sharedJournal?: boolean;
}

/** One operation of the service, in the form in which it is called from here. */
class RemoteOperation {
  readonly #calls: PendingRequestMap;
  readonly #link: NatsLink;
  readonly #remoteId: string;
  readonly #hasJournal: boolean;

  constructor(calls: PendingRequestMap, link: NatsLink, remoteId: string, hasJournal: boolean) {
    this.#calls = calls;
    this.#link = link;
    this.#remoteId = remoteId;
    this.#hasJournal = hasJournal;
  }

  async send({ params }: RoutedRequest, attempt: Attempt): Promise<RouteAnswer> {
    const { transport } = this.#link;
    const until = transport.patience(attempt.deadline);
    await transport.whenConnected(until);
    await attempt.beforeSend();
    const { identity, deadline, signal, idempotencyKey, call } = attempt;
    const facts = { parentRequestId: call?.requestId, trace: call?.trace, idempotencyKey };
    const isKept = this.#hasJournal && idempotencyKey !== undefined;
    const response = await new Patience(transport, { until, deadline, isKept }).run(() =>
      this.#calls.call(this.#remoteId, params, { ...facts, identity, deadline, signal }),
    );
    return { response, upstreamRequests: 1 };
  }

  describe({ params }: RoutedRequest): object {
    return { service: this.#link.service, operation: this.#remoteId, input: params };
  }

  subscribe(input: unknown, context: OperationContext): AsyncIterable<unknown> {
    const { requestId, trace, identity, deadline, signal } = context;
    const facts = { parentRequestId: requestId, trace, identity, deadline, signal };
    return this.#calls.subscribe(this.#remoteId, input, facts);
  }
}

function remoteOperation(
  spec: OperationSpec,
  remote: RemoteOperation,
  service: string,
  options: NatsSourceOptions,
): Operation {
  if (spec.kind === "subscription") {
    const run: LocalRun = {
      kind: "local",
      handler: (input, context) => remote.subscribe(input, context),
    };
    return { spec, run };
  }
  return oneRouteOperation({
    spec,
    route: "local",
    host: service,
    honoursKeys: options.sharedJournal ?? false,
    send: (request, attempt) => remote.send(request, attempt),
    describe: (request) => remote.describe(request),
  });
}

async function readOperations(
  name: string,
  link: NatsLink,
  options: NatsSourceOptions,
): Promise<LateOperations> {
  const { transport, service } = link;
  const calls = new PendingRequestMap({ transport });
  const offered = await transport.discover();
  const operations = offered
    .filter(({ id }) => id !== EXECUTE_ID)
    .map((spec) => {
      const summary = { ...spec, id: `${name}.${spec.id}` };
      const remote = new RemoteOperation(calls, link, spec.id, options.sharedJournal ?? false);
      return { summary, make: () => remoteOperation(summary, remote, service, options) };
    });
  return { operations };
}

/**
 * All operations of a service on NATS as a source. Their ids start with the source's name. A
 * connection that is opened here is closed with the source.
 */
export function natsSource(
  name: string,
  via: NatsLink | NatsOptions,
  options: NatsSourceOptions = {},
): Source {
  let opening: Promise<NatsLink> | undefined;
  const open = async (): Promise<NatsLink> => {
    if ("transport" in via) return via;
    opening ??= connectNats(via).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const source = lateSource(name, async () => readOperations(name, await open(), options));
  return {
    ...source,
    async close() {
      const link = await opening?.catch(() => undefined);
      await link?.close();
    },
  };
}
