export { fitTokens } from "./fit.ts";
export { selectPaths } from "./select.ts";
export type { Selected } from "./select.ts";
export { estimateTokens } from "./tokens.ts";
