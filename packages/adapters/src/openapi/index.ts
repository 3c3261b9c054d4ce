export type { BuiltRequest } from "./build-request.ts";
export type { Credential, Credentials, Secret } from "./credentials.ts";
export type { OperationOverride } from "./operation-summary.ts";
export type { SchemeUse } from "./security.ts";
export type { OAuthFlow, SignInWays } from "./sign-in-ways.ts";
export { openapiSource } from "./source.ts";
export type { OpenApiOptions, OpenApiSource } from "./source.ts";
