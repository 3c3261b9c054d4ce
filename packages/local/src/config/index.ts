export { ConfigSchema } from "./config-schema.ts";
export type {
  CardsSourceConfig,
  Config,
  ConfigFile,
  EffectiveConfig,
  PolicyConfig,
} from "./config.ts";
export { CONFIG_NAME, findProjectConfig } from "./find-config.ts";
export { loadConfig } from "./load-config.ts";
export type { LoadConfigOptions } from "./load-config.ts";
export { readConfig } from "./read-config.ts";
export { powersOf, trustConfig } from "./trust.ts";
