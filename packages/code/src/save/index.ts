export { savedCard } from "./saved-card.ts";
export type { RanProgram } from "./saved-card.ts";
