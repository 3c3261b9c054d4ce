import type { OperationSummary } from "../operation/index.ts";
import type { AnswerListener, AcceptCall, CallTransport, Exchange } from "./transport.ts";
import type { CallErrorEvent, CallRequestedEvent } from "./events.ts";

interface Server {
  readonly accept: AcceptCall;
  readonly describe: () => readonly OperationSummary[];
}

const NOTHING_UNDER_WAY: Exchange = { cancel: () => {}, credit: () => {} };

function nobodyServes(requestId: string): CallErrorEvent {
  return {
    type: "call.error",
    requestId,
    code: "EXECUTION_ERROR",
    message: "No server is listening on this transport; start one before the call",
    details: { code: "NETWORK", outcome: "not_applied" },
  };
}

class InProcessTransport implements CallTransport {
  readonly #servers: Server[] = [];
  #turn = 0;

  request(request: CallRequestedEvent, requester: AnswerListener): Exchange {
    const server = this.#servers[this.#turn++ % Math.max(1, this.#servers.length)];
    if (server !== undefined) return server.accept(request, requester);
    requester.hear(nobodyServes(request.requestId));
    return NOTHING_UNDER_WAY;
  }

  serve(accept: AcceptCall, describe: () => readonly OperationSummary[]): () => void {
    const server: Server = { accept, describe };
    this.#servers.push(server);
    return () => {
      const index = this.#servers.indexOf(server);
      if (index >= 0) this.#servers.splice(index, 1);
    };
  }

  discover(): Promise<readonly OperationSummary[]> {
    const byId = new Map<string, OperationSummary>();
    for (const { describe } of this.#servers) {
      for (const summary of describe()) byId.set(summary.id, summary);
    }
    return Promise.resolve([...byId.values()]);
  }

  close(): Promise<void> {
    this.#servers.length = 0;
    return Promise.resolve();
  }
}

/** Carries calls within one process. Values are passed unchanged and nothing is published. */
export function inProcessTransport(): CallTransport {
  return new InProcessTransport();
}
