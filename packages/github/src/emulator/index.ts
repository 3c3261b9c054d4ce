export type { Fault, FaultKind, FaultMatch, Moment } from "./faults/index.ts";
export { startGithubEmulator } from "./start.ts";
export type { EmulatorOptions, GithubEmulator } from "./start.ts";
export type { RequestRecord } from "./server/serve.ts";
export { TOKENS, octoWorld } from "./world/index.ts";
export type { Token, World } from "./world/index.ts";
