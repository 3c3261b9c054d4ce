export { compilePattern, compileScope, escapePattern, plainPath } from "./pattern.ts";
export type { Pattern } from "./pattern.ts";
