// Behind a dynamic import: most schemas have no pattern that needs it.
export { RE2JS } from "re2js";
