export { issuesOf } from "./all-issues.ts";
export type { Edit, Fix, Issue } from "./issue.ts";
export { issueItem, shortItem } from "./render.ts";
