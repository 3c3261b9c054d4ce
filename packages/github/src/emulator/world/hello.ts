import type { Issue, Repository } from "../store/model.ts";
import { TAGS } from "../store/commits.ts";
import { addComment } from "../store/mutations/conversations.ts";
import { closeIssue, createIssue, pinIssue } from "../store/mutations/issues.ts";
import { createLabel, createMilestone, updateMilestone } from "../store/mutations/labels.ts";
import { addReaction } from "../store/mutations/reactions.ts";
import { addBlockedBy, addSubIssue } from "../store/mutations/relations.ts";
import * as files from "./files.ts";
import type { People } from "./people.ts";
import type { Seed } from "./seed.ts";

/** The first weeks of commits on the main branch of octo/hello. */
export function writeHistory(
  seed: Seed,
  repository: Repository,
  { octocat, monalisa }: People,
): void {
  const tag = (name: string, oid: string): unknown => repository.refs.set(`${TAGS}${name}`, oid);
  seed.commit(repository, octocat, "main", "Initial commit", {
    "README.md": files.README,
    LICENSE: files.LICENSE,
  });
  const first = seed.commit(repository, octocat, "main", "Greet people by name", {
    "package.json": files.PACKAGE,
    "src/greet.ts": files.GREET,
    "src/index.ts": 'export { greet } from "./greet.ts";\n',
    "test/greet.test.ts": files.TEST,
  });
  tag("v1.0.0", first);
  seed.commit(repository, monalisa, "main", "Check every push", {
    ".github/workflows/ci.yml": files.CI,
    ".github/workflows/publish.yml": files.PUBLISH,
  });
  const second = seed.commit(
    repository,
    monalisa,
    "main",
    "Greet several people\n\nOne line each.",
    {
      "src/greet.ts": files.GREET_MANY,
      "src/index.ts": 'export { greet, greetAll } from "./greet.ts";\n',
    },
  );
  tag("v1.1.0", second);
}

export interface Planned {
  readonly empty: Issue;
  readonly languages: Issue;
}

/** Issues 1 to 5: a bug, a plan with two sub-issues, and one closed as not planned. */
export function writeIssues(seed: Seed, repository: Repository, people: People): Planned {
  const { octocat, monalisa, hubot } = people;
  const { store } = seed;
  createLabel(store, octocat, repository, { name: "priority: high", color: "b60205" });
  const dueOn = "2026-03-31T07:00:00Z";
  const next = createMilestone(store, octocat, repository, { title: "v1.2", dueOn });
  const past = createMilestone(store, octocat, repository, { title: "v1.0" });
  updateMilestone(store, octocat, past, { state: "CLOSED" });
  const open = (author: typeof octocat, title: string, body: string): Issue => {
    seed.tick();
    return createIssue(store, author, repository, { title, body });
  };
  const empty = open(
    monalisa,
    "Greeting fails on empty names",
    '`greet("")` says `Hello, !`.\r\n\r\nIt should say `Hello!` 👋',
  );
  const languages = open(octocat, "Support other languages", "Greet in French and German, too.");
  const french = open(octocat, "Greet in French", "Bonjour.");
  const german = open(octocat, "Greet in German", "Hallo.");
  const shout = open(hubot, "Add a loud mode", "HELLO!");
  seed.label(empty, "bug", "priority: high");
  seed.label(languages, "enhancement");
  empty.assignees.push(monalisa);
  empty.milestone = next;
  for (const part of [french, german]) addSubIssue(store, octocat, languages, part);
  addBlockedBy(store, octocat, languages, empty);
  closeIssue(store, octocat, german);
  closeIssue(store, octocat, shout, "NOT_PLANNED");
  pinIssue(store, octocat, languages);
  talk(seed, empty, people);
  return { empty, languages };
}

function talk(seed: Seed, issue: Issue, { octocat, monalisa, hubot }: People): void {
  const { store } = seed;
  seed.tick();
  const first = addComment(store, octocat, issue, "Good find. Want to fix it?");
  seed.tick();
  addComment(store, monalisa, issue, "On it.");
  addReaction(store, monalisa, first, "ROCKET");
  addReaction(store, octocat, issue, "THUMBS_UP");
  addReaction(store, hubot, issue, "THUMBS_UP");
  addReaction(store, hubot, issue, "EYES");
}

/** Branches with changes to review. */
export function writeBranches(
  seed: Seed,
  repository: Repository,
  { octocat, monalisa }: People,
): void {
  const on =
    (branch: string, author: typeof octocat) => (message: string, some: Record<string, string>) =>
      seed.commit(repository, author, branch, message, some);
  const fix = on("fix/empty-name", monalisa);
  fix("Greet nobody in particular", { "src/greet.ts": files.GREET_FIRST_FIX });
  on("feature/locale", octocat)("Start with a table of greetings", {
    "src/locale.ts": files.LOCALE,
  });
  on("docs/usage", monalisa)("Write down how to use it", {
    "docs/usage.md": "# Usage\n\nCall `greet`.\n",
  });
  on("chore/version", octocat)("Count up", {
    "package.json": files.PACKAGE.replace("1.0.0", "1.1.0"),
  });
}
