export { CodeGraph } from "./graph/index.ts";
