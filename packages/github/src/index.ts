export { githubSource } from "./pack/source.ts";
export type { GithubSurroundings } from "./pack/kit.ts";
export type { GithubPlace } from "./pack/place.ts";
