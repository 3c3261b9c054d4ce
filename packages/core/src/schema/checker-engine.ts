// Loaded by a dynamic import and bundled into one file, because TypeBox has hundreds of modules
// and many programs never check a value.
export { Check, Compile, Errors } from "typebox/schema";
export { Settings } from "typebox/system";
