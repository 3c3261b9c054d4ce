// Stops a caller between any two of its steps, so that it can be killed there.
import type { HttpTransport } from "@waybill/adapters/http";
import type { Journal } from "@waybill/core";
import type { JournalLease, JournalVerdict } from "@waybill/core/protocol";

export type Step =
  | "after-begin"
  | "before-sent"
  | "after-sent"
  | "after-answer"
  | "before-again"
  | "after-again"
  | "before-settle"
  | "after-settle"
  | "joining";

/** Called at every step; the caller continues when it resolves. */
export type Reach = (step: Step) => Promise<void>;

function pausingLease(lease: JournalLease, reach: Reach): JournalLease {
  return {
    get requestId() {
      return lease.requestId;
    },
    get attempt() {
      return lease.attempt;
    },
    async sent() {
      await reach("before-sent");
      await lease.sent();
      await reach("after-sent");
    },
    async again() {
      await reach("before-again");
      await lease.again();
      await reach("after-again");
    },
    async settle(result, outcome) {
      await reach("before-settle");
      await lease.settle(result, outcome);
      await reach("after-settle");
    },
  };
}

export function pausingJournal(journal: Journal, reach: Reach): Journal {
  const pausing = async (verdict: JournalVerdict): Promise<JournalVerdict> => {
    if (verdict.state === "in_flight") await reach("joining");
    if (verdict.state !== "owned") return verdict;
    await reach("after-begin");
    return { state: "owned", lease: pausingLease(verdict.lease, reach) };
  };
  return {
    begin: async (key, requestId) => pausing(await journal.begin(key, requestId)),
    join: async (key, signal, requestId) => pausing(await journal.join(key, signal, requestId)),
    close: () => journal.close(),
  };
}

/** The upstream has answered, and the answer is not processed yet. */
export function pausingTransport(transport: HttpTransport, reach: Reach): HttpTransport {
  return {
    async send(request, attempt) {
      const response = await transport.send(request, attempt);
      await reach("after-answer");
      return response;
    },
    stream: (request, attempt) => transport.stream(request, attempt),
    get openSockets() {
      return transport.openSockets;
    },
    close: () => transport.close(),
  };
}
