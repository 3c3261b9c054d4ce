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

function closedStale({ ferry }: TrialWorld): TrialIssue[] {
  return listIssues(ferry).filter((issue) => !isOpenIssue(issue) && issue.labels.includes("stale"));
}

function onOldNode(world: TrialWorld): TrialIssue[] {
  return openIssues(world).filter(({ body }) => body.includes("Node 20.3.0"));
}

function refusedPulls(world: TrialWorld): TrialPull[] {
  return openPulls(world).filter(({ reviews }) =>
    reviews.some(({ state }) => state === "CHANGES_REQUESTED"),
  );
}

function freePulls(world: TrialWorld): TrialPull[] {
  return openPulls(world).filter(
    ({ author, assignees }) => author === "monalisa" && assignees.length === 0,
  );
}

function closedSheets({ atlas }: TrialWorld): TrialIssue[] {
  return listIssues(atlas).filter((issue) => !isOpenIssue(issue));
}

function items(name: string, each: readonly { readonly number: number }[]): string[] {
  return each.map(({ number }) => `${name}#${number}`);
}

/** 30 tasks of the third round. */
export const THIRD_ROUND: readonly Task[] = [
  {
    kind: "read",
    text: "Who is assigned to issue 29 of octo/ferry? Answer: the login.",
    check: ({ before, answer }) => answers(answer, before.ferry.issues["29"]?.assignees ?? []),
  },
  {
    kind: "loop",
    text: "Which open issues of octo/ferry have no label at all? Answer: the numbers.",
    check: ({ before, answer }) =>
      answers(
        answer,
        openIssues(before)
          .filter(({ labels }) => labels.length === 0)
          .map(({ number }) => number),
      ),
  },
  {
    kind: "read",
    text: "The job test of pull request 6 in octo/hello fails. Which test fails, by the log? Answer: the name of the test.",
    check: ({ answer }) => answers(answer, ["greets nobody in particular"]),
  },
  {
    kind: "write",
    text: "Set the milestone of issue 10 of octo/ferry to 1.4.",
    check: ({ after }) =>
      failedStatements({ "the milestone is 1.4": after.ferry.issues["10"]?.milestone === "1.4" }),
    touches: () => ["ferry#10"],
  },
  {
    kind: "loop",
    text: "How many issues of octo/ferry, open or closed, did octocat, monalisa and hubot open? Answer: three numbers in this order, separated by commas.",
    check: ({ before, answer }) => {
      const counts = ["octocat", "monalisa", "hubot"].map(
        (login) => listIssues(before.ferry).filter(({ author }) => author === login).length,
      );
      const given = answer.replaceAll(/\s/gu, "");
      return given === counts.join(",") ? undefined : `it is ${counts.join(",")}`;
    },
  },
  {
    kind: "read",
    text: "What is the description of the repository octo/ferry?",
    check: ({ before, answer }) =>
      answers(answer.replace(/\.$/u, ""), [before.ferry.description ?? ""]),
  },
  {
    kind: "write",
    text: 'Comment "Please rebase." on pull request 78 of octo/ferry.',
    check: ({ after }) =>
      failedStatements({
        "there is one comment": sameMembers(
          after.ferry.pulls["78"]?.comments.map(({ body }) => body) ?? [],
          ["Please rebase."],
        ),
      }),
    touches: () => ["ferry#78"],
  },
  {
    kind: "read",
    text: "Which files does pull request 70 of octo/ferry change? Answer: the paths.",
    check: ({ before, answer }) => answers(answer, before.ferry.pulls["70"]?.files ?? []),
  },
  {
    kind: "loop",
    text: 'Add the label "needs info" to every open issue of octo/ferry whose body mentions Node 20.3.0.',
    check: ({ before, after }) =>
      forEach(onOldNode(before), ({ number }) =>
        Boolean(after.ferry.issues[number]?.labels.includes("needs info")),
      ),
    touches: (before) => items("ferry", onOldNode(before)),
  },
  {
    kind: "read",
    text: "What does the second comment on issue 27 of octo/ferry say?",
    check: ({ answer }) => answers(answer.replace(/\.$/u, "").replace(/,/u, ""), ["seen too 2"]),
  },
  {
    kind: "write",
    text: "Lock the conversation of issue 20 of octo/atlas.",
    check: ({ after }) =>
      failedStatements({ "it is locked": after.atlas.issues["20"]?.locked === true }),
    touches: () => ["atlas#20"],
  },
  {
    kind: "loop",
    text: "Remove the label stale from every closed issue of octo/ferry.",
    check: ({ before, after }) =>
      forEach(
        closedStale(before),
        ({ number }) => after.ferry.issues[number]?.labels.includes("stale") === false,
      ),
    touches: (before) => items("ferry", closedStale(before)),
  },
  {
    kind: "read",
    text: "Which pull request of octo/hello was merged? Answer: its number.",
    check: ({ before, answer }) =>
      answers(
        answer,
        listPulls(before.hello)
          .filter(({ merged }) => merged)
          .map(({ number }) => number),
      ),
  },
  {
    kind: "write",
    text: "Create the label urgent with the colour d73a4a in octo/ferry, and add it to issues 3 and 5.",
    check: ({ after }) =>
      failedStatements({
        "the label is there": after.ferry.labelColors["urgent"] === "d73a4a",
        "issue 3 has it": after.ferry.issues["3"]?.labels.includes("urgent") === true,
        "issue 5 has it": after.ferry.issues["5"]?.labels.includes("urgent") === true,
      }),
    touches: () => ["ferry:labelColors", "ferry#3", "ferry#5"],
  },
  {
    kind: "loop",
    text: "Which open pull requests of octo/ferry has nobody reviewed yet? Answer: the numbers.",
    check: ({ before, answer }) =>
      answers(
        answer,
        openPulls(before)
          .filter(({ reviews }) => reviews.length === 0)
          .map(({ number }) => number),
      ),
  },
  {
    kind: "write",
    text: 'In octo/ferry, add the file src/line-24.ts with the one line "export const line24 = 24;" to main, in a commit with the message "Add line 24".',
    check: ({ after }) =>
      failedStatements({
        "the file is right":
          after.ferry.files["src/line-24.ts"]?.trim() === "export const line24 = 24;",
        "the message is right": after.ferry.commits["main"]?.includes("Add line 24") === true,
      }),
    touches: () => ["ferry:files"],
  },
  {
    kind: "read",
    text: "In which file of octo/hello is the function greetAll declared? Answer: the path.",
    check: ({ answer }) => answers(answer, ["src/greet.ts"]),
  },
  {
    kind: "write",
    text: "Delete the label duplicate of octo/atlas. Your user agrees to this.",
    check: ({ after }) =>
      failedStatements({ "it is gone": after.atlas.labelColors["duplicate"] === undefined }),
    touches: () => ["atlas:labelColors"],
  },
  {
    kind: "loop",
    text: 'Close every open pull request of octo/ferry that has a review which requests changes, with the comment "Closed for now."',
    check: ({ before, after }) =>
      forEach(refusedPulls(before), ({ number }) => {
        const pull = after.ferry.pulls[number];
        const isSaid = pull?.comments.some(({ body }) => body === "Closed for now.") === true;
        return pull?.state === "CLOSED" && isSaid;
      }),
    touches: (before) => items("ferry", refusedPulls(before)),
  },
  {
    kind: "read",
    text: "How many review threads of pull request 6 in octo/hello are not resolved?",
    check: ({ before, answer }) =>
      answers(answer, [
        before.hello.pulls["6"]?.threads.filter(({ isResolved }) => !isResolved).length ?? -1,
      ]),
  },
  {
    kind: "write",
    text: 'Change the notes of the release v1.1.0 of octo/ferry to "Tickets and berths."',
    check: ({ after }) => {
      const release = after.ferry.releases.find(({ tagName }) => tagName === "v1.1.0");
      return failedStatements({
        "the notes are right": release?.body.trim() === "Tickets and berths.",
        "its name stays": release?.name === "1.1.0",
      });
    },
    touches: () => ["ferry:releases"],
  },
  {
    kind: "loop",
    text: "How many open issues of octo/ferry have the label bug, how many stale and how many defect? Answer: three numbers in this order, separated by commas.",
    check: ({ before, answer }) => {
      const counts = ["bug", "stale", "defect"].map(
        (label) => openIssues(before).filter(({ labels }) => labels.includes(label)).length,
      );
      const given = answer.replaceAll(/\s/gu, "");
      return given === counts.join(",") ? undefined : `it is ${counts.join(",")}`;
    },
  },
  {
    kind: "write",
    text: "Create the branch hotfix/1.2.4 in octo/ferry from the tag v1.2.3.",
    check: ({ after }) =>
      failedStatements({ "it is there": after.ferry.branches.includes("hotfix/1.2.4") }),
    touches: () => ["ferry:branches"],
  },
  {
    kind: "loop",
    text: "Assign octocat to every open pull request of octo/ferry that monalisa opened and that has no assignee.",
    check: ({ before, after }) =>
      forEach(freePulls(before), ({ number }) =>
        Boolean(after.ferry.pulls[number]?.assignees.includes("octocat")),
      ),
    touches: (before) => items("ferry", freePulls(before)),
  },
  {
    kind: "read",
    text: "Which open issues of octo/ferry have the label timetable and no milestone? Answer: the numbers.",
    check: ({ before, answer }) =>
      answers(
        answer,
        openIssues(before)
          .filter(({ labels, milestone }) => labels.includes("timetable") && milestone === null)
          .map(({ number }) => number),
      ),
  },
  {
    kind: "write",
    text: 'Change the title of pull request 79 of octo/ferry to "Explain berths, last part".',
    check: ({ after }) =>
      failedStatements({
        "the title is right": after.ferry.pulls["79"]?.title === "Explain berths, last part",
      }),
    touches: () => ["ferry#79"],
  },
  {
    kind: "loop",
    text: "Create the label security with the colour ee0701 in octo/hello, octo/atlas and octo/ferry.",
    check: ({ after }) =>
      failedStatements({
        "hello has it": after.hello.labelColors["security"] === "ee0701",
        "atlas has it": after.atlas.labelColors["security"] === "ee0701",
        "ferry has it": after.ferry.labelColors["security"] === "ee0701",
      }),
    touches: () => ["hello:labelColors", "atlas:labelColors", "ferry:labelColors"],
  },
  {
    kind: "loop",
    text: "Resolve every open review thread of pull request 6 in octo/hello.",
    check: ({ after }) =>
      failedStatements({
        "all are resolved":
          after.hello.pulls["6"]?.threads.every(({ isResolved }) => isResolved) === true,
      }),
    touches: () => ["hello#6"],
  },
  {
    kind: "loop",
    text: "Comment on issue 2 of octo/atlas with the numbers of all closed issues of octo/atlas, by rising number, in the form 6, 18, 30 and so on.",
    check: ({ before, after }) => {
      const list = closedSheets(before)
        .map(({ number }) => number)
        .toSorted((left, right) => left - right)
        .join(", ");
      const comments = after.atlas.issues["2"]?.comments.map(({ body }) => body.trim()) ?? [];
      return comments.includes(list) ? undefined : `no comment is ${list}`;
    },
    touches: () => ["atlas#2"],
  },
  {
    kind: "write",
    text: "Reopen issue 4 of octo/hello, and add the label question to it.",
    check: ({ after }) =>
      failedStatements({
        "it is open": after.hello.issues["4"]?.state === "OPEN",
        "it has the label": after.hello.issues["4"]?.labels.includes("question") === true,
      }),
    touches: () => ["hello#4"],
  },
];
