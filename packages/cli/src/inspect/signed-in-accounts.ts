import type { EffectiveConfig } from "@waybill/state";
import { connectionAddress, hasConnections, openConnections } from "../connect/open-connections.ts";
import type { Io } from "../io.ts";

/** The signed-in accounts of each source that has a sign-in. */
export function signedInAccounts(
  { sources, state }: EffectiveConfig,
  { env }: Io,
): () => Promise<Record<string, string[]>> {
  return async () => {
    const list = hasConnections(state) ? await openConnections(state, env).list() : [];
    const entries = Object.entries(sources).flatMap(([name, config]) => {
      const address = connectionAddress(config);
      if (address === undefined) return [];
      const own = list.filter((each) => each.address === address);
      return [[name, own.map(({ account }) => account)] as const];
    });
    return Object.fromEntries(entries);
  };
}
