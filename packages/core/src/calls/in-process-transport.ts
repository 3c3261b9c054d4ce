import type { OperationSummary } from "../operation/index.ts";
import type { CallErrorEvent } from "./events.ts";
import type { AcceptCall, CallTransport, Exchange } from "./transport.ts";

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
    message: "Nobody serves calls on this transport",
    details: { code: "NETWORK", outcome: "not_applied" },
  };
}

/** Calls within one process: values are handed over as they are and nothing is published. */
export function inProcessTransport(): CallTransport {
  const servers: Server[] = [];
  let turn = 0;
  return {
    request(request, requester) {
      const server = servers[turn++ % Math.max(1, servers.length)];
      if (server !== undefined) return server.accept(request, requester);
      requester.hear(nobodyServes(request.requestId));
      return NOTHING_UNDER_WAY;
    },
    serve(accept, describe) {
      const server: Server = { accept, describe };
      servers.push(server);
      return () => {
        const index = servers.indexOf(server);
        if (index >= 0) servers.splice(index, 1);
      };
    },
    discover() {
      const byId = new Map<string, OperationSummary>();
      for (const { describe } of servers) {
        for (const summary of describe()) byId.set(summary.id, summary);
      }
      return Promise.resolve([...byId.values()]);
    },
    close() {
      servers.length = 0;
      return Promise.resolve();
    },
  };
}
