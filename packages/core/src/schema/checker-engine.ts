// Loaded by a dynamic import and bundled into one file: TypeBox has hundreds of modules, and a
// program that never checks a value should not load them.
export { Check, Compile, Errors } from "typebox/schema";
export { Settings } from "typebox/system";
