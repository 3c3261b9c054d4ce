import { createHash } from "node:crypto";
import { AccountGate } from "@waybill/core/cards";
import type { LimitStore } from "@waybill/core/cards";
import { limitedTransport, refusalLimits } from "./limited-transport.ts";
import type { HttpTransport } from "./transport.ts";

/** The account whose rate limits are remembered, and the store for them. */
export interface SourceLimits {
  /** The name of the source. */
  readonly name: string;
  /** The account that the source uses (default: its only one). */
  readonly account?: string | undefined;
  /** Shares limits with other processes (default: only this source knows them). */
  readonly store?: LimitStore | undefined;
}

const MAX_HOSTS = 100;

function accountName({ name, account = "" }: SourceLimits, host: string): string {
  const parts = JSON.stringify([name, account, host]);
  return createHash("sha256").update(parts).digest("hex").slice(0, 32);
}

/**
 * Wraps the transport of a source. If a host has asked to wait, no request is sent to it until
 * then.
 */
export function rememberLimits(transport: HttpTransport, limits: SourceLimits): HttpTransport {
  if (transport.isLimited === true) return transport;
  const gates = new Map<string, AccountGate>();
  const open = (host: string): AccountGate => {
    const account = (): string => accountName(limits, host);
    return new AccountGate({ account, name: host, store: limits.store, isSerial: false });
  };
  return limitedTransport(
    transport,
    refusalLimits(({ host }) => {
      const gate = gates.get(host) ?? open(host);
      if (gates.size >= MAX_HOSTS) gates.clear();
      gates.set(host, gate);
      return gate;
    }),
  );
}
