/** The inputs that hold the number of an issue or a pull request, and what agents call them. */
export const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  issueNumber: ["number", "issue"],
  prNumber: ["number", "pr", "pull_number", "pull_request", "pullNumber"],
  runId: ["run"],
  jobId: ["job"],
  milestoneNumber: ["milestone"],
  projectNumber: ["number", "project"],
  discussionNumber: ["number", "discussion"],
};

/** Those that may be given as plain `number`, since they say what the capability is about. */
export const NUMBERED_INPUTS: readonly string[] = Object.keys(NUMBERS).filter((name) =>
  NUMBERS[name]!.includes("number"),
);
