export { openLimits } from "./limit-file.ts";
export { openScopes } from "./scope-file.ts";
export type { ScopeStore } from "./scope-file.ts";
