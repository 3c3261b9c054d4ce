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

function blocked({ ferry }: TrialWorld) {
  return listIssues(ferry).filter(
    (issue) => isOpenIssue(issue) && issue.labels.includes("blocked"),
  );
}

function freeBugs({ ferry }: TrialWorld) {
  return listIssues(ferry).filter(
    (issue) => isOpenIssue(issue) && issue.labels.includes("bug") && issue.assignees.length === 0,
  );
}

function lighthouses({ atlas }: TrialWorld) {
  return listIssues(atlas).filter(
    (issue) => isOpenIssue(issue) && issue.title.includes("lighthouse"),
  );
}

function pullsInSource({ ferry }: TrialWorld) {
  return listPulls(ferry).filter(
    (pull) => isOpenIssue(pull) && pull.files.some((path) => path.startsWith("src/")),
  );
}

function mergedBranches({ ferry }: TrialWorld): string[] {
  return listPulls(ferry)
    .filter(({ merged }) => merged)
    .map(({ headRefName }) => headRefName);
}

function numberedItems(name: string, items: readonly { readonly number: number }[]): string[] {
  return items.map(({ number }) => `${name}#${number}`);
}

function openPulls(repository: TrialRepository): number {
  return listPulls(repository).filter(isOpenIssue).length;
}

/** The most frequent login in a list. */
function mostOften(logins: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const login of logins) counts.set(login, (counts.get(login) ?? 0) + 1);
  return [...counts].toSorted(([, left], [, right]) => right - left)[0]?.[0] ?? "";
}

/** The 30 tasks of the second round. */
export const SECOND_ROUND: readonly Task[] = [
  {
    kind: "read",
    text: "Which milestone does issue 14 of octo/ferry have? Answer: its title.",
    check: ({ before, answer }) => answers(answer, [before.ferry.issues["14"]?.milestone ?? ""]),
  },
  {
    kind: "loop",
    text: "Which issues of octo/ferry, open or closed, have three or more comments? Answer: the numbers.",
    check: ({ before, answer }) =>
      answers(
        answer,
        listIssues(before.ferry)
          .filter(({ comments }) => comments.length >= 3)
          .map(({ number }) => number),
      ),
  },
  {
    kind: "read",
    text: "Which open pull requests of octo/ferry are drafts? Answer: the numbers.",
    check: ({ before, answer }) =>
      answers(
        answer,
        listPulls(before.ferry)
          .filter((pull) => isOpenIssue(pull) && pull.isDraft)
          .map(({ number }) => number),
      ),
  },
  {
    kind: "loop",
    text: "How many pull requests are open in octo/hello, octo/atlas and octo/ferry? Answer: three numbers in this order, separated by commas.",
    check: ({ before, answer }) => {
      const expected = [before.hello, before.atlas, before.ferry].map(openPulls).join(",");
      const given = answer.replaceAll(/\s/gu, "");
      return given === expected ? undefined : `answered ${given}; it is ${expected}`;
    },
  },
  {
    kind: "read",
    text: "From which branch is pull request 80 of octo/ferry to be merged? Answer: its name.",
    check: ({ before, answer }) => answers(answer, [before.ferry.pulls["80"]?.headRefName ?? ""]),
  },
  {
    kind: "loop",
    text: "Who wrote the most comments on the issues of octo/ferry, open and closed? Answer: the login.",
    check: ({ before, answer }) =>
      answers(answer, [
        mostOften(
          listIssues(before.ferry).flatMap(({ comments }) => comments.map(({ author }) => author)),
        ),
      ]),
  },
  {
    kind: "read",
    text: "Which constant does src/line-7.ts in octo/ferry export? Answer: its name.",
    check: ({ answer }) => answers(answer, ["line7"]),
  },
  {
    kind: "write",
    text: 'Reopen issue 8 of octo/ferry and comment "Seen again." on it.',
    check: ({ after }) => {
      const issue = after.ferry.issues["8"];
      return failedStatements({
        "it is open": issue?.state === "OPEN",
        "the comment is there":
          issue?.comments.filter(({ body }) => body === "Seen again.").length === 1,
      });
    },
    touches: () => ["ferry#8"],
  },
  {
    kind: "read",
    text: "Which check of pull request 6 of octo/hello failed? Answer: its name.",
    check: ({ answer }) => answers(answer, ["test"]),
  },
  {
    kind: "write",
    text: 'Change the title of issue 2 of octo/atlas to "Map the harbour, first sheet".',
    check: ({ after }) =>
      failedStatements({
        "the title is right": after.atlas.issues["2"]?.title === "Map the harbour, first sheet",
      }),
    touches: () => ["atlas#2"],
  },
  {
    kind: "write",
    text: "Assign yourself, the user who is signed in, to issue 2 of octo/ferry.",
    check: ({ after }) =>
      failedStatements({
        "octocat is assigned": sameMembers(after.ferry.issues["2"]?.assignees ?? [], ["octocat"]),
      }),
    touches: () => ["ferry#2"],
  },
  {
    kind: "loop",
    text: 'In the titles of all open issues of octo/atlas that mention "lighthouse", replace "Map the" by "Draw the".',
    check: ({ before, after }) =>
      forEach(
        lighthouses(before),
        ({ number, title }) =>
          after.atlas.issues[number]?.title === title.replace("Map the", "Draw the"),
      ),
    touches: (before) => numberedItems("atlas", lighthouses(before)),
  },
  {
    kind: "write",
    text: "Remove the label bug from issue 1 of octo/ferry, and leave its other labels.",
    check: ({ before, after }) =>
      failedStatements({
        "the others are left": sameMembers(
          after.ferry.issues["1"]?.labels ?? [],
          (before.ferry.issues["1"]?.labels ?? []).filter((label) => label !== "bug"),
        ),
      }),
    touches: () => ["ferry#1"],
  },
  {
    kind: "loop",
    text: "Add the label timetable to every open pull request of octo/ferry that changes a file below src.",
    check: ({ before, after }) =>
      forEach(
        pullsInSource(before),
        ({ number }) => after.ferry.pulls[number]?.labels.includes("timetable") ?? false,
      ),
    touches: (before) => numberedItems("ferry", pullsInSource(before)),
  },
  {
    kind: "read",
    text: "Which colour does the label blocked have in octo/ferry? Answer: six hexadecimal digits.",
    check: ({ before, answer }) => answers(answer, [before.ferry.labelColors["blocked"] ?? ""]),
  },
  {
    kind: "write",
    text: "Change the colour of the label stale in octo/ferry to 999999.",
    check: ({ after }) =>
      failedStatements({ "the colour is right": after.ferry.labelColors["stale"] === "999999" }),
    touches: () => ["ferry:labelColors"],
  },
  {
    kind: "write",
    text: "Create the milestone 2.0 in octo/atlas.",
    check: ({ after }) =>
      failedStatements({
        "it is there": after.atlas.milestones.filter(({ title }) => title === "2.0").length === 1,
      }),
    touches: () => ["atlas:milestones"],
  },
  {
    kind: "read",
    text: "Who opened issue 5 of octo/hello? Answer: the login.",
    check: ({ before, answer }) => answers(answer, [before.hello.issues["5"]?.author ?? ""]),
  },
  {
    kind: "loop",
    text: "Assign monalisa to every open issue of octo/ferry that has the label bug and no assignee.",
    check: ({ before, after }) =>
      forEach(freeBugs(before), ({ number }) =>
        sameMembers(after.ferry.issues[number]?.assignees ?? [], ["monalisa"]),
      ),
    touches: (before) => numberedItems("ferry", freeBugs(before)),
  },
  {
    kind: "write",
    text: "Mark pull request 73 of octo/ferry as ready for review.",
    check: ({ after }) =>
      failedStatements({ "it is no draft": after.ferry.pulls["73"]?.isDraft === false }),
    touches: () => ["ferry#73"],
  },
  {
    kind: "write",
    text: 'Close pull request 79 of octo/ferry without merging it, with the comment "Superseded."',
    check: ({ after }) => {
      const pull = after.ferry.pulls["79"];
      return failedStatements({
        "it is closed": pull?.state === "CLOSED",
        "the comment is there":
          pull?.comments.filter(({ body }) => body === "Superseded.").length === 1,
      });
    },
    touches: () => ["ferry#79"],
  },
  {
    kind: "loop",
    text: "Delete the branch of every merged pull request of octo/ferry. Your user agrees to this.",
    check: ({ before, after }) =>
      failedStatements({
        "only these are gone": sameMembers(
          after.ferry.branches,
          before.ferry.branches.filter((branch) => !mergedBranches(before).includes(branch)),
        ),
      }),
    touches: () => ["ferry:branches"],
  },
  {
    kind: "write",
    text: 'Request changes on pull request 74 of octo/ferry with the words "Please add a test."',
    check: ({ after }) =>
      failedStatements({
        "octocat requested changes": (after.ferry.pulls["74"]?.reviews ?? []).some(
          ({ author, state }) => author === "octocat" && state === "CHANGES_REQUESTED",
        ),
      }),
    touches: () => ["ferry#74"],
  },
  {
    kind: "write",
    text: 'In octo/ferry, set the version in package.json on main to 1.2.4, in a commit with the message "Release 1.2.4". Change nothing else in the file.',
    check: ({ before, after }) => {
      const text = before.ferry.files["package.json"]?.replace("1.2.3", "1.2.4");
      return failedStatements({
        "the file is right": after.ferry.files["package.json"]?.trim() === text?.trim(),
        "the message is right": after.ferry.commits["main"]?.at(-1) === "Release 1.2.4",
      });
    },
    touches: () => ["ferry:files"],
  },
  {
    kind: "loop",
    text: 'Comment "Any news?" on every open issue of octo/ferry that has the label blocked.',
    check: ({ before, after }) =>
      forEach(
        blocked(before),
        ({ number }) =>
          after.ferry.issues[number]?.comments.filter(({ body }) => body === "Any news?").length ===
          1,
      ),
    touches: (before) => numberedItems("ferry", blocked(before)),
  },
  {
    kind: "write",
    text: "Publish the draft release v1.3.0 of octo/ferry.",
    check: ({ after }) =>
      failedStatements({
        "it is published": after.ferry.releases.some(
          ({ tagName, isDraft }) => tagName === "v1.3.0" && !isDraft,
        ),
      }),
    touches: () => ["ferry:releases"],
  },
  {
    kind: "read",
    text: "What is the title of the open issue of octo/atlas with the highest number?",
    check: ({ before, answer }) => {
      const last = listIssues(before.atlas).findLast(isOpenIssue)?.title ?? "";
      return answer.trim() === last ? undefined : `answered ${answer}; it is ${last}`;
    },
  },
  {
    kind: "loop",
    text: 'Open an issue in octo/ferry with the title "Open work on the timetable". Its body has one line for each open issue with the label timetable, by rising number: "- [ ] #number title".',
    check: ({ before, after }) => {
      const lines = listIssues(before.ferry)
        .filter((issue) => isOpenIssue(issue) && issue.labels.includes("timetable"))
        .map(({ number, title }) => `- [ ] #${number} ${title}`);
      const made = listIssues(after.ferry).filter(
        ({ title }) => title === "Open work on the timetable",
      );
      return failedStatements({
        "there is one such issue": made.length === 1,
        "its body is right": made[0]?.body.trim() === lines.join("\n"),
      });
    },
    touches: () => ["ferry#81"],
  },
  {
    kind: "write",
    text: 'Start the workflow Publish of octo/hello on main, with the input version set to "1.2.0".',
    check: ({ before, after }) =>
      failedStatements({
        "one run was started":
          after.hello.runs.filter(({ event }) => event === "workflow_dispatch").length ===
          before.hello.runs.filter(({ event }) => event === "workflow_dispatch").length + 1,
      }),
    touches: () => ["hello:runs"],
  },
  {
    kind: "read",
    text: "How many comments does issue 3 of octo/ferry have?",
    check: ({ before, answer }) =>
      answers(answer, [before.ferry.issues["3"]?.comments.length ?? -1]),
  },
];
