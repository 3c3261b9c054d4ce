export { withScipIndex } from "./overlay.ts";
export type { SourceTexts } from "./overlay.ts";
export { loadScipIndex, SCIP_FILE } from "./load-index.ts";
export type { ScipIndex } from "./load-index.ts";
