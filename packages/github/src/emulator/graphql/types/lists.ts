import type { Issue, PullRequest, Repository } from "../../store/model.ts";

export function issuesOf({ issues }: Repository): Issue[] {
  return [...issues.values()].filter((one) => one.type === "Issue");
}

export function pullsOf({ issues }: Repository): PullRequest[] {
  return [...issues.values()].filter((one) => one.type === "PullRequest");
}
