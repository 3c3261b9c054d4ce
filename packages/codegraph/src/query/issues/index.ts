export { allIssues, kindsLeftOut } from "./all-issues.ts";
export type { Edit, Issue } from "./issue.ts";
export { issueItem, shortItem } from "./render.ts";
