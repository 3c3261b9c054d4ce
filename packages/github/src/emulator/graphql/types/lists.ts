import type { Issue, PullRequest, Repository } from "../../store/model.ts";

export function selectIssues({ issues }: Repository): Issue[] {
  return [...issues.values()].filter((one) => one.type === "Issue");
}

export function getPulls({ issues }: Repository): PullRequest[] {
  return [...issues.values()].filter((one) => one.type === "PullRequest");
}
