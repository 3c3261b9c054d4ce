import type { Source } from "@waybill/core";
import type { SourceConfig, SourceKind } from "@waybill/state";
import type { Surroundings } from "./sources/surroundings.ts";

type Open = (name: string, config: never, around: Surroundings) => Source | Promise<Source>;

/** Each kind has its own module, so that a command loads only the kinds that are configured. */
const KINDS: Readonly<Record<SourceKind, () => Promise<{ readonly openSource: Open }>>> = {
  cards: () => import("./sources/cards.ts"),
  openapi: () => import("./sources/openapi.ts"),
  mcp: () => import("./sources/mcp.ts"),
  graphql: () => import("./sources/graphql.ts"),
  command: () => import("./sources/command.ts"),
  nats: () => import("./sources/nats.ts"),
};

export async function openSource(
  name: string,
  config: SourceConfig,
  around: Surroundings,
): Promise<Source> {
  const { openSource: open } = await KINDS[config.kind]();
  return open(name, config as never, around);
}
