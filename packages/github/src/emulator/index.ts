export type { Fault, FaultKind, FaultMatch, Moment } from "./faults/index.ts";
export { startGithubEmulator } from "./start.ts";
export type { EmulatorOptions, GithubEmulator } from "./start.ts";
export type { RequestRecord } from "./server/serve.ts";
export { TOKENS, octoWorld } from "./world/index.ts";
export type { Token, World } from "./world/index.ts";
export type { Conclusion } from "./store/model.ts";
export { createIssue } from "./store/mutations/issues.ts";
export type { Store } from "./store/store.ts";
