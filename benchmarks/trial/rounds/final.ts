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
import type { TrialIssue, TrialPull, TrialWorld } from "../facts.ts";

function openIssues({ ferry }: TrialWorld): TrialIssue[] {
  return listIssues(ferry).filter(isOpenIssue);
}

function openPulls({ ferry }: TrialWorld): TrialPull[] {
  return listPulls(ferry).filter(isOpenIssue);
}

function assignedTo(world: TrialWorld, login: string): TrialIssue[] {
  return openIssues(world).filter(({ assignees }) => assignees.includes(login));
}

function labelled(world: TrialWorld, ...names: readonly string[]): TrialIssue[] {
  return openIssues(world).filter(({ labels }) => names.every((name) => labels.includes(name)));
}

function unplannedDefects(world: TrialWorld): TrialIssue[] {
  return labelled(world, "defect").filter(({ milestone }) => milestone === null);
}

function staleOfMonalisa(world: TrialWorld): TrialIssue[] {
  return assignedTo(world, "monalisa").filter(({ labels }) => labels.includes("stale"));
}

function unaskedPulls(world: TrialWorld): TrialPull[] {
  return openPulls(world).filter(
    ({ author, reviewRequests }) => author === "octocat" && reviewRequests.length === 0,
  );
}

function unusedLabels({ ferry }: TrialWorld): string[] {
  const used = new Set(listIssues(ferry).flatMap(({ labels }) => labels));
  return ferry.labels.filter((name) => !used.has(name));
}

function numbers(items: readonly { readonly number: number }[]): number[] {
  return items.map(({ number }) => number);
}

function inFerry(items: readonly { readonly number: number }[]): string[] {
  return numbers(items).map((number) => `ferry#${number}`);
}

/** 30 tasks that were never used to improve Waybill. */
export const FINAL_ROUND: readonly Task[] = [
  {
    kind: "read",
    text: "Is issue 17 of octo/ferry open or closed, and for which reason? Answer: state, reason.",
    check: ({ answer }) => answers(answer, ["closed", "completed"]),
  },
  {
    kind: "loop",
    text: "Which labels of octo/ferry does no issue have, open or closed? Answer: the names.",
    check: ({ before, answer }) => answers(answer, unusedLabels(before)),
  },
  {
    kind: "loop",
    text: "Which open issues of octo/ferry have both the label bug and the label timetable? Answer: the numbers.",
    check: ({ before, answer }) => answers(answer, numbers(labelled(before, "bug", "timetable"))),
  },
  {
    kind: "read",
    text: "How many files does pull request 74 of octo/ferry change?",
    check: ({ before, answer }) => answers(answer, [before.ferry.pulls["74"]?.files.length ?? -1]),
  },
  {
    kind: "write",
    text: "Close the milestone 1.3 of octo/ferry.",
    check: ({ after }) =>
      failedStatements({
        "it is closed": after.ferry.milestones.some(
          ({ title, state }) => title === "1.3" && state === "CLOSED",
        ),
      }),
    touches: () => ["ferry:milestones"],
  },
  {
    kind: "loop",
    text: "How many comments do all issues of octo/ferry, open and closed, have together?",
    check: ({ before, answer }) =>
      answers(answer, [listIssues(before.ferry).flatMap(({ comments }) => comments).length]),
  },
  {
    kind: "write",
    text: "Add the labels documentation and question to issue 6 of octo/ferry.",
    check: ({ before, after }) =>
      failedStatements({
        "it has both": sameMembers(after.ferry.issues["6"]?.labels ?? [], [
          ...(before.ferry.issues["6"]?.labels ?? []),
          "documentation",
          "question",
        ]),
      }),
    touches: () => ["ferry#6"],
  },
  {
    kind: "loop",
    text: "Unassign octocat from every open issue of octo/ferry, and leave other assignees.",
    check: ({ before, after }) =>
      forEach(
        assignedTo(before, "octocat"),
        ({ number }) => after.ferry.issues[number]?.assignees.includes("octocat") === false,
      ),
    touches: (before) => inFerry(assignedTo(before, "octocat")),
  },
  {
    kind: "read",
    text: "Which label of octo/ferry has the colour fbca04? Answer: its name.",
    check: ({ answer }) => answers(answer, ["needs info"]),
  },
  {
    kind: "write",
    text: 'Change the body of issue 6 of octo/atlas to "Moved to sheet 2."',
    check: ({ after }) =>
      failedStatements({
        "the body is right": after.atlas.issues["6"]?.body === "Moved to sheet 2.",
      }),
    touches: () => ["atlas#6"],
  },
  {
    kind: "loop",
    text: "Which open issues of octo/atlas have at least one comment? Answer: the numbers.",
    check: ({ before, answer }) =>
      answers(
        answer,
        numbers(
          listIssues(before.atlas).filter(
            (issue) => isOpenIssue(issue) && issue.comments.length > 0,
          ),
        ),
      ),
  },
  {
    kind: "read",
    text: "From which branch does pull request 7 of octo/hello come, and is it a draft? Answer: branch, yes or no.",
    check: ({ before, answer }) => {
      const pull = before.hello.pulls["7"];
      return answers(answer, [pull?.headRefName ?? "", pull?.isDraft === true ? "yes" : "no"]);
    },
  },
  {
    kind: "write",
    text: "Convert pull request 77 of octo/ferry to a draft.",
    check: ({ after }) =>
      failedStatements({ "it is a draft": after.ferry.pulls["77"]?.isDraft === true }),
    touches: () => ["ferry#77"],
  },
  {
    kind: "loop",
    text: "Request a review from monalisa on every open pull request of octo/ferry that octocat opened and on which no review is requested.",
    check: ({ before, after }) =>
      forEach(unaskedPulls(before), ({ number }) =>
        Boolean(after.ferry.pulls[number]?.reviewRequests.includes("monalisa")),
      ),
    touches: (before) => inFerry(unaskedPulls(before)),
  },
  {
    kind: "read",
    text: "How many releases of octo/ferry are drafts or prereleases?",
    check: ({ before, answer }) =>
      answers(answer, [
        before.ferry.releases.filter(({ isDraft, isPrerelease }) => isDraft || isPrerelease).length,
      ]),
  },
  {
    kind: "write",
    text: 'In octo/ferry, add the file docs/CONTACT.md with the one line "Write to us." to main, in a commit with the message "Add contact".',
    check: ({ after }) =>
      failedStatements({
        "the file is right": after.ferry.files["docs/CONTACT.md"]?.trim() === "Write to us.",
        "the message is right": Boolean(after.ferry.commits["main"]?.includes("Add contact")),
      }),
    touches: () => ["ferry:files"],
  },
  {
    kind: "loop",
    text: "Put every open issue of octo/ferry that has the label defect and no milestone into the milestone 1.4.",
    check: ({ before, after }) =>
      forEach(
        unplannedDefects(before),
        ({ number }) => after.ferry.issues[number]?.milestone === "1.4",
      ),
    touches: (before) => inFerry(unplannedDefects(before)),
  },
  {
    kind: "read",
    text: "Is the repository octo/atlas private? Answer: yes or no.",
    check: ({ answer }) => answers(answer, ["yes"]),
  },
  {
    kind: "write",
    text: "Delete the release v1.3.0-rc.1 of octo/ferry. Your user agrees to this.",
    check: ({ after }) =>
      failedStatements({
        "it is gone": !after.ferry.releases.some(({ tagName }) => tagName === "v1.3.0-rc.1"),
      }),
    touches: () => ["ferry:releases"],
  },
  {
    kind: "read",
    text: "How many commits are on the branch main of octo/hello?",
    check: ({ before, answer }) => answers(answer, [before.hello.commits["main"]?.length ?? -1]),
  },
  {
    kind: "write",
    text: 'Create an issue in octo/atlas with the title "Check sheet 9", the body "See #5." and octocat as assignee. Then close it as completed.',
    check: ({ after }) => {
      const issue = listIssues(after.atlas).find(({ title }) => title === "Check sheet 9");
      return failedStatements({
        "it is there": issue?.body === "See #5.",
        "it is assigned": sameMembers(issue?.assignees ?? [], ["octocat"]),
        "it is closed": issue?.state === "CLOSED" && issue.stateReason === "COMPLETED",
      });
    },
    touches: ({ atlas }) => [`atlas#${Math.max(...Object.keys(atlas.issues).map(Number)) + 1}`],
  },
  {
    kind: "loop",
    text: "Which open pull requests of octo/ferry change more than one file? Answer: the numbers.",
    check: ({ before, answer }) =>
      answers(answer, numbers(openPulls(before).filter(({ files }) => files.length > 1))),
  },
  {
    kind: "write",
    text: "Take issue 14 of octo/ferry out of its milestone.",
    check: ({ after }) =>
      failedStatements({ "it has none": after.ferry.issues["14"]?.milestone === null }),
    touches: () => ["ferry#14"],
  },
  {
    kind: "loop",
    text: 'Append " (stale)" to the title of every open issue of octo/ferry that has the label stale and is assigned to monalisa.',
    check: ({ before, after }) =>
      forEach(
        staleOfMonalisa(before),
        ({ number, title }) => after.ferry.issues[number]?.title === `${title} (stale)`,
      ),
    touches: (before) => inFerry(staleOfMonalisa(before)),
  },
  {
    kind: "read",
    text: "Who wrote the last comment on pull request 6 of octo/hello? Answer: the login.",
    check: ({ before, answer }) =>
      answers(answer, [before.hello.pulls["6"]?.comments.at(-1)?.author ?? ""]),
  },
  {
    kind: "write",
    text: 'Leave a review with the words "Nice work." on pull request 80 of octo/ferry that neither approves nor requests changes.',
    check: ({ before, after }) => {
      const old = before.ferry.pulls["80"]?.reviews.length ?? 0;
      const reviews = after.ferry.pulls["80"]?.reviews.slice(old) ?? [];
      return failedStatements({
        "there is one such review": reviews.length === 1 && reviews[0]?.state === "COMMENTED",
      });
    },
    touches: () => ["ferry#80"],
  },
  {
    kind: "loop",
    text: 'Close every open issue of octo/ferry that has the label blocked as not planned, each with the comment "Blocked for too long."',
    check: ({ before, after }) =>
      forEach(labelled(before, "blocked"), ({ number }) => {
        const issue = after.ferry.issues[number];
        return (
          issue?.state === "CLOSED" &&
          issue.stateReason === "NOT_PLANNED" &&
          issue.comments.at(-1)?.body === "Blocked for too long."
        );
      }),
    touches: (before) => inFerry(labelled(before, "blocked")),
  },
  {
    kind: "read",
    text: "Which checks of pull request 9 of octo/hello passed? Answer: their names.",
    check: ({ answer }) => answers(answer, ["lint", "test"]),
  },
  {
    kind: "loop",
    text: 'Create an issue in octo/hello with the title "Open work". Its body has one line for each open pull request of octo/ferry, by rising number: "#number author".',
    check: ({ before, after }) => {
      const lines = openPulls(before).map(({ number, author }) => `#${number} ${author}`);
      const issue = listIssues(after.hello).find(({ title }) => title === "Open work");
      return failedStatements({
        "its body is right": issue?.body.trim().replaceAll("\r", "") === lines.join("\n"),
      });
    },
    touches: ({ hello }) => {
      const known = [...Object.keys(hello.issues), ...Object.keys(hello.pulls)].map(Number);
      // Discussions share their numbers with issues and pull requests.
      return [1, 2, 3].map((more) => `hello#${Math.max(...known) + more}`);
    },
  },
  {
    kind: "write",
    text: "Run all jobs of the workflow run 1001 of octo/hello again.",
    check: ({ after }) =>
      failedStatements({
        "it has a second attempt": after.hello.runs.some(
          ({ id, attempt }) => id === 1001 && attempt === 2,
        ),
      }),
    touches: () => ["hello:runs"],
  },
];
