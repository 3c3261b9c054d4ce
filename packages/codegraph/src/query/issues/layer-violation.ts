import { checkRules } from "../../rules/index.ts";
import type { IssueRule } from "./issue.ts";
import { at, modify } from "./issue.ts";

/** What `.waybill/graph/layers.json` does not allow. */
export const layerViolation: IssueRule = {
  kind: "LAYER_VIOLATION",
  severity: "error",
  *find({ graph, rules, root }) {
    for (const violation of checkRules(graph, rules, root)) {
      const file = graph.files.find(violation.sourceFile);
      if (file === undefined) continue;
      yield {
        file,
        ...(violation.line !== undefined && { line: violation.line }),
        subject: `${violation.rule} ${violation.targetFile}`,
        severity: violation.severity,
        note: violation.description,
      };
    }
  },
  summary: (_view, { subject, note }) => `${subject.split(" ")[0]!}: ${note ?? ""}`,
  evidence: (view, finding) => [
    `${at(view, finding)} → ${finding.subject.split(" ").slice(1).join(" ")}`,
  ],
  impact: () => "The layers that were agreed on do not hold here.",
  fixes: () => [
    {
      description: "Turn the dependency round",
      effort: "medium",
      steps: ["Let the lower layer define what it needs", "Let the upper layer provide it"],
    },
    {
      description: "Change the rule, if it is no longer meant",
      effort: "small",
      steps: ["Edit .waybill/graph/layers.json"],
    },
  ],
  edits: (view, finding) => [modify(view, finding, "no longer depend on it", finding.subject)],
};
