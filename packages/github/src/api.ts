export { githubApiSource } from "./pack/api-source.ts";
