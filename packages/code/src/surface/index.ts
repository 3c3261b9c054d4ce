export { largestPage, listMember, findPaging, listProperties } from "./lists.ts";
export type { Paging } from "./lists.ts";
export { inputFrom } from "./reference.ts";
export { resultShape } from "./shape.ts";
export { signatureText } from "./signature.ts";
