import { PendingRequestMap, isCallError } from "@waybill/core";
import { executeRemotely } from "@waybill/core/protocol";
import type { Waybill } from "@waybill/core";
import type { RemoteCaller } from "@waybill/core/protocol";
import type { Io } from "../io.ts";
import { openLink } from "../waybill/nats-link.ts";

interface Way {
  readonly caller: RemoteCaller;
  close(): Promise<void>;
}

/** Connects to the workers. If that fails, every call returns the error. */
async function wayTo(io: Io, server: string): Promise<Way> {
  try {
    const { link } = await openLink(io, { server });
    const close = async (): Promise<void> => {
      // The last message, such as a cancellation, may not be sent yet.
      await link.connection.flush().catch(() => {});
      await link.close();
    };
    const { transport } = link;
    const calls = new PendingRequestMap({ transport });
    const caller: RemoteCaller = {
      call: (id, input, options) => calls.call(id, input, options),
      describe: () => transport.discover(),
    };
    return { caller, close };
  } catch (error) {
    if (!isCallError(error)) throw error;
    return { caller: { call: () => Promise.reject(error) }, close: async () => {} };
  }
}

/** Calls workers on NATS, with one connection for each call. The workers create the envelope. */
export function callerVia(io: Io, server: string): Pick<Waybill, "execute"> {
  return {
    async execute(id, params, options) {
      const way = await wayTo(io, server);
      try {
        return await executeRemotely(way.caller, id, params, options);
      } finally {
        await way.close();
      }
    },
  };
}
