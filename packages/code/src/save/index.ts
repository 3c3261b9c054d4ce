export { inferSchema } from "./infer-schema.ts";
export { savedCard } from "./saved-card.ts";
export type { RanProgram } from "./saved-card.ts";
