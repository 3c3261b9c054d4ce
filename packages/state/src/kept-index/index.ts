export { KeptIndex } from "./kept-index.ts";
export { keptSource, openUnlessKept } from "./kept-source.ts";
export type { KeptSourceOptions } from "./kept-source.ts";
