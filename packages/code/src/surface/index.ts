export { findPaging, itemsOnPage, largestPage, listMember, listProperties } from "./lists.ts";
export { resultSchema } from "./result-schema.ts";
export type { Paging } from "./lists.ts";
export { inputFrom } from "./reference.ts";
export { resultShape } from "./shape.ts";
export { signatureText } from "./signature.ts";
