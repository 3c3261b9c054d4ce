// These names are the public API. Everything else may change without notice.
export type { AddressGuard } from "./addresses.ts";
export { loopbackAuthorize, webAddress } from "./auth/loopback.ts";
export type { LoopbackOptions } from "./auth/loopback.ts";
export { signInToServer } from "./auth/sign-in.ts";
export { tokensKey } from "./auth/tokens-key.ts";
export type { ServerSignIn } from "./auth/sign-in.ts";
export { DEFAULT_REDIRECT_URL } from "./auth/settings.ts";
export type {
  AuthorizationCodeSettings,
  ClientCredentialsSettings,
  OAuthSettings,
} from "./auth/settings.ts";
export { mapMCPContentBlocks } from "./calls/content-blocks.ts";
export { parseMcpConfiguration } from "./config/parse-configuration.ts";
export type {
  ConfigurationFile,
  ConfigurationProblem,
  FoundServer,
  ParsedConfiguration,
} from "./config/parse-configuration.ts";
export { readMcpConfigurations } from "./config/read-configurations.ts";
export type { NeededVariable } from "./config/references.ts";
export { createMCPClient } from "./client.ts";
export type { MCPClient } from "./client.ts";
export type {
  Elicitation,
  ElicitationAnswer,
  HttpServer,
  McpSourceSettings,
  StdioServer,
  ToolProgress,
  TrustedTools,
} from "./settings.ts";
export { mcpSource } from "./source.ts";
export type { McpServerSource } from "./source.ts";
export { RelayDesk } from "../relay/index.ts";
export type { McpOffers, OfferList } from "../relay/index.ts";
export { isolationProblem } from "./stdio/isolation.ts";
export type { Isolation, ServerLimits } from "./stdio/isolation.ts";
export { fileStore } from "./store/file-store.ts";
export { memoryStore } from "./store/memory-store.ts";
export type { StateStore } from "./store/state-store.ts";
