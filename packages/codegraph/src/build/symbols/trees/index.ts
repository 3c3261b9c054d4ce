export { extractGo } from "./go.ts";
export { extractNamed } from "./named.ts";
export { extractPython } from "./python.ts";
