import { lateSource } from "@waybill/core";
import type { Source } from "@waybill/core";
import type { EffectiveConfig, SourceConfig, SourceKind } from "@waybill/local";
import type { Surroundings } from "./sources/surroundings.ts";

type Open = (name: string, config: never, around: Surroundings) => Source | Promise<Source>;

/** Each kind is read from its own file, so that a command loads only what is configured. */
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

/** A source that cannot even be opened is reported like one that cannot be read. */
async function orBroken(name: string, opening: Promise<Source>): Promise<Source> {
  try {
    return await opening;
  } catch (error) {
    return lateSource(name, () => Promise.reject(error));
  }
}

/** Ids of a card can be any; those of the other sources begin with the source's name. */
function mayHave(name: string, { kind }: SourceConfig, ids: readonly string[]): boolean {
  return kind === "cards" || ids.some((id) => id.startsWith(`${name}.`));
}

/**
 * The sources that may have the ids which are asked for, or all: a program that is not needed is
 * not started.
 */
export function openSources(
  { sources }: EffectiveConfig,
  around: Surroundings,
  ids?: readonly string[],
): Promise<Source[]> {
  const wanted = Object.entries(sources).filter(
    ([name, config]) => ids === undefined || mayHave(name, config, ids),
  );
  return Promise.all(
    wanted.map(([name, config]) => orBroken(name, openSource(name, config, around))),
  );
}
