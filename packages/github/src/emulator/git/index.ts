export { blameRanges } from "./blame.ts";
export { changesBetween, diffText } from "./diff.ts";
export type { FileChange } from "./diff.ts";
export { commitsBetween, getHistory, mergeBase, touching } from "./history.ts";
export { mergeFiles } from "./merge.ts";
export { GitObjects } from "./objects.ts";
export type { Files, GitActor, GitCommit, TreeEntry } from "./objects.ts";
