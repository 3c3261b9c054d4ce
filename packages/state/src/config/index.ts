export { ConfigSchema } from "./config-schema.ts";
export type {
  CallerLimitsConfig,
  HttpConfig,
  HttpLimitsConfig,
  HttpTokenConfig,
  OidcConfig,
} from "./http-config.ts";
export type {
  CardsSourceConfig,
  CommandSourceConfig,
  CredentialConfig,
  GraphqlSourceConfig,
  McpSourceConfig,
  NatsSourceConfig,
  OpenapiSourceConfig,
  SourceConfig,
  SourceKind,
} from "./source-config.ts";
export type { NatsConfig } from "./nats-config.ts";
export type {
  AuditConfig,
  Config,
  ConfigFile,
  EffectiveConfig,
  PolicyConfig,
  SourceOrigin,
  UntrustedSource,
} from "./config.ts";
export { CONFIG_NAME, findProjectConfig, findUserConfig } from "./find-config.ts";
export { loadConfig, trustCommand } from "./load-config.ts";
export type { LoadConfigOptions } from "./load-config.ts";
export { parseConfig, readConfig } from "./read-config.ts";
export { nameProblem, RESERVED_NAMES } from "./reserved-names.ts";
export { settingsIn, trustConfig } from "./trust.ts";
export type { Trusted } from "./trust.ts";
export { openToolPins } from "./tool-pins.ts";
export type { SeenTool, ToolPins, ToolPinsOptions } from "./tool-pins.ts";
export { configToEdit, editSources } from "./edit-config.ts";
