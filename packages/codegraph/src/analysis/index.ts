export {
  allComponents,
  findComponents,
  eagerComponents,
  reexportComponents,
  runtimeComponents,
} from "./components.ts";
export { commonBase, findGroupName, importsBetween } from "./folder-groups.ts";
export {
  APART,
  REEXPORT,
  RUNTIME,
  WITH_NODE,
  SIBLING,
  linkBetween,
  linkCount,
  linksIn,
  getLinks,
  linksOut,
  neighbours,
} from "./links.ts";
export type { Links } from "./links.ts";
export { perGraph } from "./per-graph.ts";
export { overallRank, rankFrom, getReaders } from "./rank.ts";
export { reachFrom, useReach, wayTo } from "./reach.ts";
export type { Reach } from "./reach.ts";
export { shortCircle } from "./shortest-circle.ts";
