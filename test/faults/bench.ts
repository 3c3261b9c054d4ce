// A Waybill with the faulty upstream and everything it needs, and one function that closes it all.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { graphqlRoute } from "@waybill/adapters/graphql";
import { createHttpTransport, restRoute } from "@waybill/adapters/http";
import type { HttpTransport } from "@waybill/adapters/http";
import { createWaybill, defineOperation, memoryJournal } from "@waybill/core";
import { cardOperation } from "@waybill/core/cards";
import type { Journal, Waybill } from "@waybill/core";
import type { CardRoute, FactSource } from "@waybill/core/cards";
import { openJournal } from "@waybill/state";
import { VIEWER, prepareCards } from "./cards.ts";
import type { Carrier } from "./faults.ts";
import { faultyGh } from "./gh.ts";
import { faultyTransport, getReady } from "./trail.ts";
import { Upstream } from "./upstream.ts";

/** Short waits, because no result here depends on their length. */
const RETRY = { maxAttempts: 3, baseDelayMs: 1, maxDelayMs: 4 };
const userAgent = "waybill-faults";

const facts: FactSource = {
  async facts() {
    await getReady("preflight");
    return {};
  },
  forget() {},
};

async function token(): Promise<string> {
  await getReady("token");
  return "a-token-for-the-upstream";
}

export async function waybillFor(
  url: string,
  transport: HttpTransport,
  journal?: Journal,
  more: readonly CardRoute[] = [],
): Promise<Waybill> {
  const routes = [
    restRoute({ baseUrl: url, transport, userAgent, token }),
    graphqlRoute({ url: `${url}/graphql`, transport, userAgent, token }),
    ...more,
  ];
  const cards = await prepareCards();
  const operations = [
    ...cards.map((card) =>
      cardOperation(card, { routes, facts, host: "upstream", viewer: VIEWER }),
    ),
    defineOperation({ id: "local.write", description: "Writes nowhere", handler: () => null }),
  ];
  return createWaybill({ operations, retry: RETRY, ...(journal !== undefined && { journal }) });
}

export interface Bench {
  readonly upstream: Upstream;
  readonly waybill: Waybill;
  close(): Promise<void>;
}

/**
 * Stores idempotency keys on disk as in production, or in memory if writing to disk would take most
 * of the time.
 */
export type JournalKind = "disk" | "memory";

export async function openBench(kind: JournalKind, carrier: Carrier): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-faults-"));
  const upstream = await new Upstream().start();
  const transport = createHttpTransport();
  const journal =
    kind === "disk" ? openJournal({ path: join(folder, "journal.db") }) : memoryJournal();
  const gh = carrier === "gh" ? [await faultyGh(upstream, folder)] : [];
  const sent = faultyTransport(transport, upstream);
  const waybill = await waybillFor(upstream.url, sent, journal, gh);
  return {
    upstream,
    waybill,
    async close() {
      await waybill.close();
      transport.close();
      await upstream.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
