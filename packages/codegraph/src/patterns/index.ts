export { compilePattern, compileScope, escapePattern } from "./pattern.ts";
export type { Pattern } from "./pattern.ts";
