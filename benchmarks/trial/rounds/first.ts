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
import type { TrialRepository, TrialWorld } from "../facts.ts";

function staleAndFree({ ferry }: TrialWorld) {
  return listIssues(ferry).filter(
    (issue) =>
      isOpenIssue(issue) &&
      issue.labels.includes("stale") &&
      issue.assignees.length === 0 &&
      issue.milestone === null,
  );
}

function harbours({ atlas }: TrialWorld) {
  return listIssues(atlas).filter((issue) => isOpenIssue(issue) && issue.title.includes("harbour"));
}

function defects({ ferry }: TrialWorld) {
  return listIssues(ferry).filter(({ labels }) => labels.includes("defect"));
}

function inMilestone({ ferry }: TrialWorld, title: string) {
  return listIssues(ferry).filter((issue) => isOpenIssue(issue) && issue.milestone === title);
}

function released({ releases }: TrialRepository, tag: string) {
  return releases.find(({ tagName }) => tagName === tag);
}

function numbered(name: string, issues: readonly { readonly number: number }[]): string[] {
  return issues.map(({ number }) => `${name}#${number}`);
}

function openedByHubot(repository: TrialRepository): number {
  return listIssues(repository).filter(({ author }) => author === "hubot").length;
}

/** The first 30 tasks. */
export const FIRST_ROUND: readonly Task[] = [
  {
    kind: "read",
    text: "Which labels does issue 1 of octo/hello have? Answer: the names, separated by commas.",
    check: ({ before, answer }) => answers(answer, before.hello.issues["1"]?.labels ?? []),
  },
  {
    kind: "read",
    text: "Who requested changes on pull request 6 of octo/hello? Answer: the login.",
    check: ({ before, answer }) =>
      answers(
        answer,
        (before.hello.pulls["6"]?.reviews ?? [])
          .filter(({ state }) => state === "CHANGES_REQUESTED")
          .map(({ author }) => author),
      ),
  },
  {
    kind: "write",
    text: 'Create an issue in octo/ferry with the title "Ferry 12 is shown twice", the body "Seen on line 12.", the label bug and monalisa as assignee. Answer: its number.',
    check: ({ after, answer }) => {
      const made = listIssues(after.ferry).filter(
        ({ title }) => title === "Ferry 12 is shown twice",
      );
      const [first] = made;
      return failedStatements({
        "there is one such issue": made.length === 1,
        "body, label and assignee are right":
          first?.body === "Seen on line 12." &&
          sameMembers(first.labels, ["bug"]) &&
          sameMembers(first.assignees, ["monalisa"]),
        "the number is right": answer.replace("#", "").trim() === String(first?.number),
      });
    },
    touches: () => ["ferry#81", "ferry#82"],
  },
  {
    kind: "read",
    text: "Which files does pull request 6 of octo/hello change? Answer: the paths.",
    check: ({ before, answer }) => answers(answer, before.hello.pulls["6"]?.files ?? []),
  },
  {
    kind: "loop",
    text: 'Add the label bug to every open issue of octo/atlas whose title mentions "harbour".',
    check: ({ before, after }) =>
      forEach(
        harbours(before),
        ({ number }) => after.atlas.issues[number]?.labels.includes("bug") ?? false,
      ),
    touches: (before) => numbered("atlas", harbours(before)),
  },
  {
    kind: "read",
    text: "What is the tag of the newest release of octo/ferry that is neither a draft nor a prerelease?",
    check: ({ answer }) => answers(answer, ["v1.2.3"]),
  },
  {
    kind: "write",
    text: 'Comment "Surveyed again." on issue 4 of octo/atlas.',
    check: ({ after }) =>
      failedStatements({
        "one comment says so":
          after.atlas.issues["4"]?.comments.filter(({ body }) => body === "Surveyed again.")
            .length === 1,
      }),
    touches: () => ["atlas#4"],
  },
  {
    kind: "loop",
    text: "Which merged pull requests of octo/ferry had no review at all? Answer: the numbers.",
    check: ({ before, answer }) =>
      answers(
        answer,
        listPulls(before.ferry)
          .filter(({ merged, reviews }) => merged && reviews.length === 0)
          .map(({ number }) => number),
      ),
  },
  {
    kind: "read",
    text: "The newest CI run of the branch fix/empty-name in octo/hello failed. Which step of which job failed? Answer: job, step.",
    check: ({ answer }) => answers(answer, ["test", "Run npm test"]),
  },
  {
    kind: "write",
    text: 'Close issue 12 of octo/ferry as not planned, with the comment "Cannot be reproduced."',
    check: ({ after }) => {
      const issue = after.ferry.issues["12"];
      return failedStatements({
        "it is closed as not planned":
          issue?.state === "CLOSED" && issue.stateReason === "NOT_PLANNED",
        "the comment is there":
          issue?.comments.filter(({ body }) => body === "Cannot be reproduced.").length === 1,
      });
    },
    touches: () => ["ferry#12"],
  },
  {
    kind: "loop",
    text: "Close, as not planned, every open issue of octo/ferry that has the label stale, no assignee and no milestone.",
    check: ({ before, after }) =>
      forEach(staleAndFree(before), ({ number }) => {
        const issue = after.ferry.issues[number];
        return issue?.state === "CLOSED" && issue.stateReason === "NOT_PLANNED";
      }),
    touches: (before) => numbered("ferry", staleAndFree(before)),
  },
  {
    kind: "read",
    text: "Which version does package.json on the branch chore/version of octo/hello have?",
    check: ({ answer }) => answers(answer, ["1.1.0"]),
  },
  {
    kind: "write",
    text: "Create the label needs triage with the colour d4c5f9 in octo/atlas.",
    check: ({ after }) =>
      failedStatements({
        "label and colour are there": after.atlas.labelColors["needs triage"] === "d4c5f9",
      }),
    touches: () => ["atlas:labelColors"],
  },
  {
    kind: "loop",
    text: "Move every open issue of octo/ferry in the milestone 1.3 to the milestone 1.4.",
    check: ({ before, after }) =>
      forEach(
        inMilestone(before, "1.3"),
        ({ number }) => after.ferry.issues[number]?.milestone === "1.4",
      ),
    touches: (before) => numbered("ferry", inMilestone(before, "1.3")),
  },
  {
    kind: "write",
    text: "Create the branch release/1.4 from main in octo/ferry.",
    check: ({ after }) =>
      failedStatements({ "the branch is there": after.ferry.branches.includes("release/1.4") }),
    touches: () => ["ferry:branches"],
  },
  {
    kind: "read",
    text: "By how many commits is the branch fix/empty-name of octo/hello ahead of main?",
    check: ({ before, answer }) => answers(answer, [before.hello.pulls["6"]?.ahead ?? -1]),
  },
  {
    kind: "write",
    text: 'In octo/ferry, commit the file docs/HISTORY.md with the one line "History" on a new branch docs/history, and open a pull request from it to main with the title "Add a history". Answer: its number.',
    check: ({ after, answer }) => {
      const made = listPulls(after.ferry).filter(({ title }) => title === "Add a history");
      const [pull] = made;
      return failedStatements({
        "there is one pull request": made.length === 1,
        "its branches are right":
          pull?.headRefName === "docs/history" && pull.baseRefName === "main",
        "it changes one file": sameMembers(pull?.files ?? [], ["docs/HISTORY.md"]),
        "the number is right": answer.replace("#", "").trim() === String(pull?.number),
      });
    },
    touches: () => ["ferry:branches", "ferry#81", "ferry#82"],
  },
  {
    kind: "loop",
    text: "Delete every branch of octo/atlas that begins with sheet/old-. Your user agrees to this.",
    check: ({ after }) =>
      failedStatements({
        "only these are gone": sameMembers(after.atlas.branches, ["main", "sheet/new"]),
      }),
    touches: () => ["atlas:branches"],
  },
  {
    kind: "write",
    text: 'Approve pull request 66 of octo/ferry with the words "Looks right."',
    check: ({ after }) =>
      failedStatements({
        "octocat approved it": (after.ferry.pulls["66"]?.reviews ?? []).some(
          ({ author, state }) => author === "octocat" && state === "APPROVED",
        ),
      }),
    touches: () => ["ferry#66"],
  },
  {
    kind: "loop",
    text: "How many issues, open or closed, did hubot open in octo/hello, octo/atlas and octo/ferry? Answer: three numbers in this order, separated by commas.",
    check: ({ before, answer }) => {
      const expected = [before.hello, before.atlas, before.ferry].map(openedByHubot).join(",");
      const given = answer.replaceAll(/\s/gu, "");
      return given === expected ? undefined : `answered ${given}; it is ${expected}`;
    },
  },
  {
    kind: "write",
    text: "Merge pull request 9 of octo/hello by squashing.",
    check: ({ after }) =>
      failedStatements({ "it is merged": after.hello.pulls["9"]?.merged === true }),
    touches: () => ["hello#9", "hello:files", "hello:branches", "hello:runs"],
  },
  {
    kind: "write",
    text: 'On pull request 6 of octo/hello, reply "Agreed, done." to the review thread that asks for a constant, and resolve it.',
    check: ({ after }) => {
      const thread = after.hello.pulls["6"]?.threads.find(
        ({ comments }) => comments[0] === "A constant, perhaps?",
      );
      return failedStatements({
        "the reply is there": thread?.comments.at(-1) === "Agreed, done.",
        "the thread is resolved": thread?.isResolved === true,
      });
    },
    touches: () => ["hello#6"],
  },
  {
    kind: "loop",
    text: "On every issue of octo/ferry, open or closed, that has the label defect, replace it by the label bug.",
    check: ({ before, after }) =>
      forEach(defects(before), ({ number }) => {
        const labels = after.ferry.issues[number]?.labels ?? [];
        return labels.includes("bug") && !labels.includes("defect");
      }),
    touches: (before) => numbered("ferry", defects(before)),
  },
  {
    kind: "write",
    text: 'Create a draft release v1.4.0 in octo/ferry with the name "1.4.0" and the notes "Soon."',
    check: ({ after }) => {
      const made = released(after.ferry, "v1.4.0");
      return failedStatements({
        "it is there, as a draft": made?.isDraft === true,
        "name and notes are right": made?.name === "1.4.0" && made.body.trim() === "Soon.",
      });
    },
    touches: () => ["ferry:releases"],
  },
  {
    kind: "read",
    text: "Who wrote the last comment on issue 3 of octo/ferry? Answer: the login.",
    check: ({ before, answer }) =>
      answers(answer, [before.ferry.issues["3"]?.comments.at(-1)?.author ?? "nobody"]),
  },
  {
    kind: "loop",
    text: "Which files below src in octo/ferry contain TODO? Answer: the paths.",
    check: ({ before, answer }) =>
      answers(
        answer,
        Object.entries(before.ferry.files)
          .filter(([path, text]) => path.startsWith("src/") && text.includes("TODO"))
          .map(([path]) => path),
      ),
  },
  {
    kind: "write",
    text: "Rerun only the failed jobs of the newest failed CI run in octo/hello.",
    check: ({ before, after }) => {
      const red = before.hello.runs.find(({ branch }) => branch === "fix/empty-name");
      const now = after.hello.runs.find(({ id }) => id === red?.id);
      return failedStatements({ "it has a second attempt": now?.attempt === 2 });
    },
    touches: () => ["hello:runs"],
  },
  {
    kind: "write",
    text: "Request a review from monalisa on pull request 77 of octo/ferry.",
    check: ({ after }) =>
      failedStatements({
        "it is requested": after.ferry.pulls["77"]?.reviewRequests.includes("monalisa") ?? false,
      }),
    touches: () => ["ferry#77"],
  },
  {
    kind: "read",
    text: "Does pull request 10 of octo/hello have conflicts with its base? Answer: yes or no.",
    check: ({ answer }) => answers(answer, ["yes"]),
  },
  {
    kind: "loop",
    text: 'Create a draft release v1.3.1 in octo/ferry. Its notes have one line for each merged pull request of the repository, by rising number: "- title (#number)".',
    check: ({ before, after }) => {
      const lines = listPulls(before.ferry)
        .filter(({ merged }) => merged)
        .map(({ title, number }) => `- ${title} (#${number})`);
      const made = released(after.ferry, "v1.3.1");
      return failedStatements({
        "it is there, as a draft": made?.isDraft === true,
        "its notes are right": made?.body.trim() === lines.join("\n"),
      });
    },
    touches: () => ["ferry:releases"],
  },
];
