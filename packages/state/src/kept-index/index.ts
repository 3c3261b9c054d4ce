export { KeptIndex } from "./kept-index.ts";
export { keptSource } from "./kept-source.ts";
export type { KeptSourceOptions } from "./kept-source.ts";
