export { loadDescription } from "./description.ts";
export type { Description } from "./description.ts";
