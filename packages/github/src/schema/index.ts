export { loadSchema, readSchemaText } from "./load.ts";
