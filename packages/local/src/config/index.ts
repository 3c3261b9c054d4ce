export { ConfigSchema } from "./config-schema.ts";
export type { HttpConfig, HttpTokenConfig } from "./http-config.ts";
export type {
  CardsSourceConfig,
  CommandSourceConfig,
  CredentialConfig,
  GraphqlSourceConfig,
  McpSourceConfig,
  OpenapiSourceConfig,
  SourceConfig,
  SourceKind,
} from "./source-config.ts";
export type { Config, ConfigFile, EffectiveConfig, PolicyConfig } from "./config.ts";
export { CONFIG_NAME, findProjectConfig } from "./find-config.ts";
export { loadConfig } from "./load-config.ts";
export type { LoadConfigOptions } from "./load-config.ts";
export { parseConfig, readConfig } from "./read-config.ts";
export { powersOf, trustConfig } from "./trust.ts";
export { configToEdit, editSources } from "./edit-config.ts";
