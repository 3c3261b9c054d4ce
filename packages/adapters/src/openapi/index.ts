export type { BuiltRequest } from "./request/build-request.ts";
export type { Credential, Credentials, Secret } from "./security/credentials.ts";
export type { OperationOverride } from "./operation/operation-summary.ts";
export type { SchemeUse } from "./security/security.ts";
export type { OAuthFlow, SignInWays } from "./security/sign-in-ways.ts";
export { openapiSource } from "./source.ts";
export type { OpenApiOptions, OpenApiSource } from "./source.ts";
