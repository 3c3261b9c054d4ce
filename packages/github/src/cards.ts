// These names are the public API. Everything else may change without notice.
export { explainCapability, packSpecs } from "./pack/explain.ts";
