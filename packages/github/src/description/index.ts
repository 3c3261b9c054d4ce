export { PACKED_DESCRIPTION, loadDescription } from "./description.ts";
