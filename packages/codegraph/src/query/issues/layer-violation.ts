import { checkRules } from "../../rules/index.ts";
import type { IssueRule } from "./issue.ts";
import { findingLocation, modify } from "./issue.ts";

/** Imports that `.waybill/graph/layers.json` does not allow. */
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
    `${findingLocation(view, finding)} → ${finding.subject.split(" ").slice(1).join(" ")}`,
  ],
  impact: () => "This breaks a rule of .waybill/graph/layers.json.",
  fixes: () => [
    {
      description: "Reverse the dependency",
      effort: "medium",
      steps: ["Let the lower layer define what it needs", "Let the upper layer provide it"],
    },
    {
      description: "Change the rule, if it is out of date",
      effort: "small",
      steps: ["Edit .waybill/graph/layers.json"],
    },
  ],
  edits: (view, finding) => [modify(view, finding, "no longer depend on it", finding.subject)],
};
