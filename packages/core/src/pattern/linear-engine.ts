// Loaded by a dynamic import, because most schemas have no pattern that needs it.
export { RE2JS } from "re2js";
