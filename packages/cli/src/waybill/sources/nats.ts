import { fail } from "@waybill/core";
import type { Source } from "@waybill/core";
import type { NatsSourceConfig } from "@waybill/state";
import { natsSource } from "@waybill/nats";
import { Secrets } from "./secrets.ts";
import type { Surroundings } from "./surroundings.ts";

/** A source that calls a service on NATS. It connects when it is first listed. */
export async function openSource(
  name: string,
  { url, key, shared_journal: sharedJournal = false }: NatsSourceConfig,
  { secrets }: Surroundings,
): Promise<Source> {
  const secret = key === undefined ? undefined : await secrets.source(key)();
  if (key !== undefined && secret === undefined) {
    throw fail("AUTH", `The key of ${name} is missing (${Secrets.hint(key)})`);
  }
  return natsSource(name, { servers: url, key: secret }, { sharedJournal });
}
