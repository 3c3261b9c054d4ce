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

function openWith({ ferry }: TrialWorld, isWanted: (issue: TrialIssue) => boolean): number[] {
  return listIssues(ferry)
    .filter((issue) => isOpenIssue(issue) && isWanted(issue))
    .map(({ number }) => number);
}

function refusedPulls({ ferry }: TrialWorld) {
  return listPulls(ferry).filter(
    ({ state, reviews }) =>
      state === "OPEN" && reviews.some((review) => review.state === "CHANGES_REQUESTED"),
  );
}

/** Fifteen tasks of a working day. They measure how many tasks are solved at the first try. */
export const DAILY_ROUND: readonly Task[] = [
  {
    kind: "read",
    text: "Which open issues of octo/ferry have the label blocked? Answer: the numbers.",
    check: ({ before, answer }) =>
      answers(
        answer,
        openWith(before, ({ labels }) => labels.includes("blocked")),
      ),
  },
  {
    kind: "read",
    text: "Which open issues of octo/ferry are assigned to monalisa? Answer: the numbers.",
    check: ({ before, answer }) =>
      answers(
        answer,
        openWith(before, ({ assignees }) => assignees.includes("monalisa")),
      ),
  },
  {
    kind: "write",
    text: "Rename the label defect of octo/ferry to broken, and leave its colour as it is.",
    check: ({ before, after }) =>
      failedStatements({
        "the new name has the colour":
          after.ferry.labelColors["broken"] === before.ferry.labelColors["defect"],
        "the old name is gone": !after.ferry.labels.includes("defect"),
      }),
    touches: ({ ferry }) => [
      "ferry:labelColors",
      ...listIssues(ferry)
        .filter(({ labels }) => labels.includes("defect"))
        .map(({ number }) => `ferry#${number}`),
    ],
  },
  {
    kind: "write",
    text: "Put issue 10 of octo/ferry into the milestone 1.4.",
    check: ({ after }) =>
      failedStatements({ "it is in 1.4": after.ferry.issues["10"]?.milestone === "1.4" }),
    touches: () => ["ferry#10"],
  },
  {
    kind: "write",
    text: 'Close issue 21 of octo/ferry as completed, with the comment "Fixed in 1.2.3."',
    check: ({ after }) => {
      const issue = after.ferry.issues["21"];
      return failedStatements({
        "it is completed": issue?.state === "CLOSED" && issue.stateReason === "COMPLETED",
        "the comment is there":
          issue?.comments.filter(({ body }) => body === "Fixed in 1.2.3.").length === 1,
      });
    },
    touches: () => ["ferry#21"],
  },
  {
    kind: "read",
    text: "Which files does pull request 70 of octo/ferry change? Answer: the paths.",
    check: ({ before, answer }) => answers(answer, before.ferry.pulls["70"]?.files ?? []),
  },
  {
    kind: "read",
    text: "How did the newest workflow run on the branch fix/empty-name of octo/hello end? Answer: its conclusion.",
    check: ({ answer }) => answers(answer, ["failure"]),
  },
  {
    kind: "write",
    text: 'Leave the review comment "Please explain." on line 1 of docs/change-5.md in pull request 70 of octo/ferry. Neither approve nor refuse it.',
    check: ({ after }) => {
      const pull = after.ferry.pulls["70"];
      const isThread = (thread: NonNullable<typeof pull>["threads"][number]): boolean =>
        thread.path === "docs/change-5.md" && thread.comments[0] === "Please explain.";
      return failedStatements({
        "the comment is at the file": pull?.threads.filter(isThread).length === 1,
        "the review says nothing else": !(pull?.reviews ?? []).some(
          ({ author, state }) => author === "octocat" && state !== "COMMENTED",
        ),
      });
    },
    touches: () => ["ferry#70"],
  },
  {
    kind: "write",
    text: 'In octo/ferry, replace the word TODO by NOTE in src/line-3.ts on main, in a commit with the message "Reword a note".',
    check: ({ before, after }) =>
      failedStatements({
        "the file is right":
          after.ferry.files["src/line-3.ts"]?.trim() ===
          before.ferry.files["src/line-3.ts"]?.replace("TODO", "NOTE").trim(),
        "the message is right": after.ferry.commits["main"]?.at(-1) === "Reword a note",
      }),
    touches: () => ["ferry:files"],
  },
  {
    kind: "write",
    text: 'Publish the prerelease v1.5.0-beta.1 of octo/ferry from main, with the title "1.5 beta" and the notes "Try it."',
    check: ({ after }) => {
      const made = after.ferry.releases.find(({ tagName }) => tagName === "v1.5.0-beta.1");
      return failedStatements({
        "it is a published prerelease": made?.isPrerelease === true && !made.isDraft,
        "title and notes are right": made?.name === "1.5 beta" && made.body.trim() === "Try it.",
      });
    },
    touches: () => ["ferry:releases"],
  },
  {
    kind: "write",
    text: "Lock the conversation of issue 16 of octo/ferry as resolved.",
    check: ({ after }) =>
      failedStatements({ "it is locked": after.ferry.issues["16"]?.locked === true }),
    touches: () => ["ferry#16"],
  },
  {
    kind: "loop",
    text: 'Comment "Ping." on every open pull request of octo/ferry on which someone requested changes.',
    check: ({ before, after }) =>
      forEach(
        refusedPulls(before),
        ({ number }) =>
          after.ferry.pulls[number]?.comments.filter(({ body }) => body === "Ping.").length === 1,
      ),
    touches: (before) => refusedPulls(before).map(({ number }) => `ferry#${number}`),
  },
  {
    kind: "loop",
    text: "Which author opened the most issues in octo/ferry, open and closed, that have the label bug? Answer: login, number of issues.",
    check: ({ before, answer }) => {
      const authors = listIssues(before.ferry)
        .filter(({ labels }) => labels.includes("bug"))
        .map(({ author }) => author);
      const counts = new Map(
        authors.map((login) => [login, authors.filter((each) => each === login).length]),
      );
      const [first = ["", 0]] = [...counts].toSorted(([, left], [, right]) => right - left);
      return answers(answer, first);
    },
  },
  {
    kind: "write",
    text: 'Open an issue in octo/ferry with the title "Map is blank at night", the body "Dark theme.", the labels bug and blocked, the milestone 1.3 and hubot as assignee. Answer: its number.',
    check: ({ after, answer }) => {
      const made = listIssues(after.ferry).filter(({ title }) => title === "Map is blank at night");
      const [issue] = made;
      return failedStatements({
        "there is one such issue": made.length === 1,
        "labels, milestone and assignee are right":
          issue?.body === "Dark theme." &&
          sameMembers(issue.labels, ["bug", "blocked"]) &&
          issue.milestone === "1.3" &&
          sameMembers(issue.assignees, ["hubot"]),
        "the number is right": answer.replace("#", "").trim() === String(issue?.number),
      });
    },
    touches: () => ["ferry#81", "ferry#82"],
  },
  {
    kind: "write",
    text: 'In octo/ferry, commit docs/FAQ.md with the one line "Questions" on a new branch docs/faq, and open a draft pull request from it to main with the title "Add questions" and monalisa as reviewer. Answer: its number.',
    check: ({ after, answer }) => {
      const made = listPulls(after.ferry).filter(({ title }) => title === "Add questions");
      const [pull] = made;
      return failedStatements({
        "there is one draft": made.length === 1 && pull?.isDraft === true,
        "its branches are right": pull?.headRefName === "docs/faq" && pull.baseRefName === "main",
        "it changes one file": sameMembers(pull?.files ?? [], ["docs/FAQ.md"]),
        "monalisa is asked": sameMembers(pull?.reviewRequests ?? [], ["monalisa"]),
        "the number is right": answer.replace("#", "").trim() === String(pull?.number),
      });
    },
    touches: () => ["ferry:branches", "ferry#81", "ferry#82"],
  },
];
