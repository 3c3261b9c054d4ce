import { fail } from "@waybill/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { answerLost, sourceDown } from "../wire/failure.ts";
import { Patience } from "./repeat-while-recovering.ts";

const HOUR_MS = 3_600_000;
const NOT_READY = fail("NOT_READY", "The journal has no leader", { outcome: "unknown" });
const EARLIER = fail("NETWORK", "An earlier call with this key was sent", { outcome: "unknown" });
const DOWN = sourceDown("Nobody serves this", "Start a worker");

/** Repeats requests with a key, for any time. */
function patient(): Patience {
  const transport = { whenConnected: async (): Promise<void> => {} };
  const until = Date.now() + HOUR_MS;
  return new Patience(transport, { until, deadline: undefined, isKept: true });
}

function letTimePass(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
  onTestFinished(() => void vi.useRealTimers());
}

/** Runs a request that fails in these ways, one after the other, and then succeeds. */
async function ends(
  failures: readonly Error[],
  { isKept = true, waitMs = HOUR_MS, deadline = undefined as number | undefined } = {},
): Promise<string> {
  const left = [...failures];
  const transport = { whenConnected: async (): Promise<void> => {} };
  const patience = new Patience(transport, { until: Date.now() + waitMs, deadline, isKept });
  const call = async (): Promise<string> => {
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return "answered";
  };
  return patience.run(call).catch((error: unknown) => String(error));
}

describe("retries in a cluster that lost a server", () => {
  it.each([
    ["that no worker took", [DOWN, DOWN], true],
    ["that has no key and that no worker took", [DOWN], false],
    ["whose answer was lost", [answerLost("The connection was lost")], true],
    ["whose journal is not ready", [NOT_READY], true],
    ["if a retry finds the record of its own first attempt", [NOT_READY, EARLIER], true],
    ["if a retry finds no worker", [answerLost("The connection was lost"), DOWN], true, 1],
  ])("a NATS requester repeats a request %s", async (_name, failures, isKept, waitMs = HOUR_MS) => {
    expect(await ends(failures, { isKept, waitMs })).toBe("answered");
  });

  it("a NATS requester repeats a request whose answer was lost after an hour", async () => {
    const call = vi
      .fn<() => Promise<string>>()
      .mockImplementationOnce(async () => {
        letTimePass(HOUR_MS);
        throw answerLost("The connection was lost");
      })
      .mockResolvedValueOnce("answered");
    expect(await patient().run(call)).toBe("answered");
  });

  it.each([
    ["that has no key and whose answer was lost", [answerLost("Lost")], { isKept: false }, "Lost"],
    ["whose outcome the upstream left unknown", [EARLIER], {}, "An earlier call"],
    ["that was refused", [fail("POLICY", "Denied")], {}, "Denied"],
    ["sent to a single server", [DOWN], { waitMs: 0 }, "Nobody serves this"],
    ["whose deadline has passed", [NOT_READY], { deadline: 1 }, "no leader"],
  ])("a NATS requester does not repeat a request %s", async (_name, failures, options, message) => {
    expect(await ends(failures, options)).toContain(message);
  });

  it("a NATS requester does not report not_applied after the answer to an attempt was lost", async () => {
    const left = [answerLost("The connection was lost"), DOWN];
    const call = async (): Promise<never> => {
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      letTimePass(HOUR_MS);
      throw fail("POLICY", "Denied", { outcome: "not_applied" });
    };
    await expect(patient().run(call)).rejects.toMatchObject({ details: { outcome: "unknown" } });
  });
});
