export { PACKED_DESCRIPTION, loadDescription } from "./description.ts";
export type { Description } from "./description.ts";
