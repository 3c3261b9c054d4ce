// Every name here is a promise. Everything else may change without notice.
export { explainCapability, packSpecs } from "./pack/explain.ts";
