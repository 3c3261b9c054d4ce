export { TOKENS } from "./tokens.ts";
export type { Token } from "./tokens.ts";
export { octoWorld } from "./world.ts";
export type { World } from "./world.ts";
