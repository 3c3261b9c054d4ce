/** Scenarios whose oracles accept some mutants, with the reason. */
export const EXPLAINED: Readonly<Record<string, string>> = {
  "bulk-comments-by-person": "the list of issues only tells which comments to read",
  "bulk-harbour-commits": "a letter more in a message does not change a count",
  "bulk-todo-files": "only files with a TODO are part of the answer",
  "bulk-unspoken-issues": "a letter more in a comment or title does not change a count",
  "bulk-version-in-bodies": "only issues that name the version are part of the answer",
  "chain-why-red": "any of the error lines tells the cause",
  "job-log": "any of the error lines tells the cause",
  "release-list": "drafts are no part of the answer",
};
