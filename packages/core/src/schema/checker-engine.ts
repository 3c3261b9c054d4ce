// Kept behind a dynamic import, and bundled into one file by the build: TypeBox is hundreds of
// modules, and a program that never checks a value should not pay for loading them.
export { Check, Compile, Errors } from "typebox/schema";
export { Settings } from "typebox/system";
