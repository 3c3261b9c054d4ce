export { PACKED_DESCRIPTION } from "./description/index.ts";
export { githubApiSource } from "./pack/api-source.ts";
export { githubGraphqlSource } from "./pack/graphql-source.ts";
