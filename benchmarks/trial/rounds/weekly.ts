import {
  answers,
  failedStatements,
  forEach,
  isOpenIssue,
  listIssues,
  listPulls,
  sameMembers,
} from "../task.ts";
import type { Task } from "../task.ts";
import type { TrialIssue, TrialWorld } from "../facts.ts";

function openIssues({ ferry }: TrialWorld): TrialIssue[] {
  return listIssues(ferry).filter(isOpenIssue);
}

function unusedLabels(world: TrialWorld): string[] {
  const { ferry } = world;
  const open = [...openIssues(world), ...listPulls(ferry).filter(isOpenIssue)];
  const used = new Set(open.flatMap(({ labels }) => labels));
  return ferry.labels.filter((label) => !used.has(label));
}

function plannedIssues(world: TrialWorld): TrialIssue[] {
  return openIssues(world).filter(({ milestone }) => milestone === "1.3");
}

function isOwnApproval({ author, state }: { author: string; state: string }): boolean {
  return author === "octocat" && state === "APPROVED";
}

function ownApprovals({ ferry }: TrialWorld): number {
  return (ferry.pulls["78"]?.reviews ?? []).filter(isOwnApproval).length;
}

/** Fifteen tasks around a release. They measure how many tasks are solved at the first try. */
export const WEEKLY_ROUND: readonly Task[] = [
  {
    kind: "read",
    text: "Which is the newest release of octo/ferry that is neither a draft nor a prerelease? Answer: its tag.",
    check: ({ answer }) => answers(answer, ["v1.2.3"]),
  },
  {
    kind: "loop",
    text: "Which labels of octo/ferry are on no open issue and on no open pull request? Answer: the names.",
    check: ({ before, answer }) => answers(answer, unusedLabels(before)),
  },
  {
    kind: "write",
    text: "Reopen pull request 76 of octo/ferry.",
    check: ({ after }) =>
      failedStatements({ "it is open": after.ferry.pulls["76"]?.state === "OPEN" }),
    touches: () => ["ferry#76"],
  },
  {
    kind: "write",
    text: "Mark the draft pull request 73 of octo/ferry as ready for review, and ask monalisa to review it.",
    check: ({ after }) => {
      const pull = after.ferry.pulls["73"];
      return failedStatements({
        "it is no draft": pull?.isDraft === false,
        "monalisa is asked": sameMembers(pull?.reviewRequests ?? [], ["monalisa"]),
      });
    },
    touches: () => ["ferry#73"],
  },
  {
    kind: "write",
    text: "Squash pull request 68 of octo/ferry into main, and delete its branch. Your user agrees to both.",
    check: ({ before, after }) =>
      failedStatements({
        "it is merged": after.ferry.pulls["68"]?.merged === true,
        "its branch is gone": !after.ferry.branches.includes(
          before.ferry.pulls["68"]?.headRefName ?? "",
        ),
      }),
    touches: () => ["ferry#68", "ferry:branches", "ferry:files"],
  },
  {
    kind: "write",
    text: 'Close issue 13 of octo/ferry as not planned, after the comment "We will not do this."',
    check: ({ after }) => {
      const issue = after.ferry.issues["13"];
      return failedStatements({
        "it is not planned": issue?.state === "CLOSED" && issue.stateReason === "NOT_PLANNED",
        "the comment is there":
          issue?.comments.filter(({ body }) => body === "We will not do this.").length === 1,
      });
    },
    touches: () => ["ferry#13"],
  },
  {
    kind: "loop",
    text: "Move every open issue of octo/ferry that is in the milestone 1.3 to the milestone 1.4.",
    check: ({ before, after }) =>
      forEach(
        plannedIssues(before),
        ({ number }) => after.ferry.issues[number]?.milestone === "1.4",
      ),
    touches: (before) => plannedIssues(before).map(({ number }) => `ferry#${number}`),
  },
  {
    kind: "read",
    text: "By how many commits is the branch of pull request 80 of octo/ferry ahead of main? Answer: the number.",
    check: ({ before, answer }) => answers(answer, [before.ferry.pulls["80"]?.ahead ?? -1]),
  },
  {
    kind: "read",
    text: "On which branch of octo/hello is a workflow run still in progress? Answer: its name.",
    check: ({ answer }) => answers(answer, ["feature/locale"]),
  },
  {
    kind: "write",
    text: 'Approve pull request 78 of octo/ferry with the words "Looks good."',
    check: ({ before, after }) =>
      failedStatements({
        "octocat approved once": ownApprovals(after) === ownApprovals(before) + 1,
      }),
    touches: () => ["ferry#78"],
  },
  {
    kind: "write",
    text: 'Create the milestone 2.0 in octo/ferry with the description "Routes", due on 31 January 2026, and put issue 17 into it.',
    check: ({ after }) =>
      failedStatements({
        "the milestone is there": after.ferry.milestones.some(({ title }) => title === "2.0"),
        "the issue is in it": after.ferry.issues["17"]?.milestone === "2.0",
      }),
    touches: () => ["ferry:milestones", "ferry#17"],
  },
  {
    kind: "write",
    text: 'Add the line "Also seen in 1.2.3." at the end of the body of issue 7 of octo/ferry. Keep the rest of the body.',
    check: ({ before, after }) => {
      const old = before.ferry.issues["7"]?.body.trim();
      const lines = after.ferry.issues["7"]?.body.trim().split(/\n+/u) ?? [];
      return failedStatements({
        "the line is the last one": lines.at(-1) === "Also seen in 1.2.3.",
        "the rest is kept": lines.slice(0, -1).join("\n") === old?.split(/\n+/u).join("\n"),
      });
    },
    touches: () => ["ferry#7"],
  },
  {
    kind: "loop",
    text: "On which open issues of octo/ferry did hubot comment? Answer: the numbers.",
    check: ({ before, answer }) =>
      answers(
        answer,
        openIssues(before)
          .filter(({ comments }) => comments.some(({ author }) => author === "hubot"))
          .map(({ number }) => number),
      ),
  },
  {
    kind: "write",
    text: 'Prepare a draft of the release v1.2.4 of octo/ferry with the title "1.2.4" and the notes "Small fixes." Do not publish it.',
    check: ({ after }) => {
      const made = after.ferry.releases.filter(({ tagName }) => tagName === "v1.2.4");
      return failedStatements({
        "there is one draft": made.length === 1 && made[0]?.isDraft === true,
        "title and notes are right":
          made[0]?.name === "1.2.4" && made[0].body.trim() === "Small fixes.",
      });
    },
    touches: () => ["ferry:releases"],
  },
  {
    kind: "write",
    text: 'In octo/ferry, move src/line-5.ts to src/lines/line-5.ts on main, in one commit with the message "Move line 5".',
    check: ({ before, after }) =>
      failedStatements({
        "the file is at the new path":
          after.ferry.files["src/lines/line-5.ts"]?.trim() ===
          before.ferry.files["src/line-5.ts"]?.trim(),
        "the old path is gone": after.ferry.files["src/line-5.ts"] === undefined,
        "it is one commit":
          after.ferry.commits["main"]?.filter((text) => text === "Move line 5").length === 1,
      }),
    touches: () => ["ferry:files"],
  },
];
