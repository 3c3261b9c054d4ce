// Every exported name is stable. Other names may change without notice.
export { discoverEndpoints } from "./authorization-server.ts";
export type {
  OAuthClient,
  OAuthConnection,
  OAuthEndpoints,
  OAuthGrant,
  OAuthTokens,
} from "./connection.ts";
export { signIn } from "./sign-in.ts";
export type { DevicePrompt, SignInRequest, SigningPerson } from "./sign-in.ts";
export { CONNECTION_KEY, connectionToken } from "./token-source.ts";
export type { ConnectionStore, TokenSourceOptions } from "./token-source.ts";
