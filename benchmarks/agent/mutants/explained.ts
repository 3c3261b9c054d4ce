/** Scenarios whose oracles accept some mutants, with the reason. */
export const EXPLAINED: Readonly<Record<string, string>> = {
  "chain-why-red": "any of the error lines tells the cause",
  "job-log": "any of the error lines tells the cause",
  "release-list": "drafts are no part of the answer",
};
