import { pathToFileURL } from "node:url";
import type { OpenApiSource } from "@waybill/adapters/openapi";
import type { Source } from "@waybill/core";
import type { GraphqlSourceConfig, OpenapiSourceConfig, SourceConfig } from "@waybill/state";
import { stateFiles } from "@waybill/state/files";
import { KeptIndex, keptSource, openUnlessKept } from "@waybill/state/kept-index";
import { version } from "../version.ts";
import { openSource } from "./open-source.ts";
import type { Surroundings } from "./sources/surroundings.ts";

/**
 * Sources that are read from documents. Their operations can be stored and listed without reading
 * the documents again.
 */
type DescribedConfig = OpenapiSourceConfig | GraphqlSourceConfig;

const WATCH_MS = 60_000;

export function isDescribed(config: SourceConfig): config is DescribedConfig {
  return config.kind === "openapi" || config.kind === "graphql";
}

/** The settings that change the list of operations. Servers and tokens do not change it. */
function indexKey(name: string, config: DescribedConfig): string {
  const { kind } = config;
  const facts =
    kind === "openapi"
      ? [config.document, config.external, config.overrides]
      : [config.url, config.schema, config.documents, config.depth];
  return JSON.stringify([version(), name, kind, facts]);
}

function asUrl(place: string): string {
  return URL.canParse(place) ? place : pathToFileURL(place).href;
}

function documentUrls(config: DescribedConfig, source: Source): readonly string[] {
  if (config.kind === "openapi") return (source as OpenApiSource).documents();
  const { url, schema = url, documents = [] } = config;
  return [schema, ...documents].map(asUrl);
}

function keptIndex(name: string, config: DescribedConfig, { state }: Surroundings): KeptIndex {
  return new KeptIndex(stateFiles(state).index, indexKey(name, config));
}

/** A source that lists its stored operations, and is opened when one is called. */
export async function openKept(
  name: string,
  route: Source["route"],
  config: DescribedConfig,
  around: Surroundings,
): Promise<Source> {
  const index = keptIndex(name, config, around);
  return keptSource({
    name,
    ...(route !== undefined && { route }),
    open: await openUnlessKept(index, () => openSource(name, config, around)),
    documents: (source) => documentUrls(config, source),
    index,
    onOld: around.onOldIndex,
    ...(around.isLasting && { watchMs: WATCH_MS }),
  });
}

/** Stores the operations that were just read from a source. */
export async function keepIndex(
  name: string,
  config: SourceConfig,
  source: Source,
  around: Surroundings,
): Promise<void> {
  if (!isDescribed(config)) return;
  await source.list();
  await keptIndex(name, config, around).write(source, documentUrls(config, source));
}
