export { extractGo } from "./go.ts";
export { extractPython } from "./python.ts";
