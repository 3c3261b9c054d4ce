import type { Answer, FollowUp } from "../answer/answer.ts";
import { plainAnswer } from "../answer/answer.ts";
import { findIssue } from "./issue-explain.ts";
import type { Edit, Issue } from "./index.ts";
import type { GraphView } from "../answer/view.ts";

export interface IssueFixplanInput {
  readonly issueIds: readonly string[];
}

/** Joins the edits of each file. A deleted file has no other edits. */
function joinedEdits(edits: readonly Edit[]): Edit[] {
  const byFile = new Map<string, Edit>();
  for (const edit of edits) {
    const known = byFile.get(edit.file);
    if (known === undefined || edit.action === "delete") byFile.set(edit.file, edit);
    else if (known.action !== "delete") {
      byFile.set(edit.file, {
        ...known,
        description: `${known.description}; ${edit.description}`,
        changes: [...known.changes, ...edit.changes],
      });
    }
  }
  return [...byFile.values()];
}

function getPlan(view: GraphView, issues: readonly Issue[]): string[] {
  return issues.map(({ id, rule, finding }) => {
    const [fix] = rule.fixes(view, finding);
    const summary = rule.summary(view, finding);
    return `${id}: ${fix === undefined ? summary : fix.description} (${summary})`;
  });
}

function getVerification(issues: readonly Issue[]): object {
  const kinds = [...new Set(issues.map(({ kind }) => kind))];
  return {
    steps: ["Run the tests", ...kinds.map((kind) => `List the issues of the kind ${kind} again`)],
    expectedOutcome: `No longer listed: ${issues.map(({ id }) => id).join(", ")}. No new issue is listed`,
  };
}

/** The edits that fix up to five issues, and how to check them. */
export function issueFixplan(view: GraphView, input: IssueFixplanInput): Answer {
  const issues = [...new Set(input.issueIds)].map((id) => findIssue(view, id));
  const edits = joinedEdits(issues.flatMap(({ rule, finding }) => rule.edits(view, finding)));
  const next: FollowUp[] = edits.slice(0, 1).flatMap(({ file }) =>
    view.graph.files.find(file) === undefined
      ? []
      : [
          {
            tool: "impact" as const,
            args: { target: file },
            reason: "files that the edit affects",
          },
        ],
  );
  return plainAnswer(
    () => ({ plan: getPlan(view, issues), edits, verification: getVerification(issues) }),
    {
      next,
    },
  );
}
