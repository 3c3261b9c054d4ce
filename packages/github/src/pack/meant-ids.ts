import { toolNames } from "../generated/tool-names.ts";
import { GH_MEANINGS } from "./gh-meanings.ts";
import { SAME } from "./other-ids.ts";

/** Verbs with the same meaning. An id without a verb means a read. */
const VERBS: readonly (readonly string[])[] = [
  ["list", "get", "view", "show", "read", "fetch"],
  ["create", "add", "new"],
  ["update", "edit", "set", "replace"],
  ["delete", "remove"],
];

const READ = VERBS[0]!;

/** Words that add little to the meaning of an id. People often leave them out. */
const LITTLE: ReadonlySet<string> = new Set(
  "for repo authenticated user org enterprise the in a an all of to from by list".split(" "),
);

/**
 * Words for accounts and repositories. An id that contains one does not mean an operation without
 * it.
 */
const ACCOUNTS = ["org", "user", "enterprise", "authenticated"];
const OWNERS = ["repo", ...ACCOUNTS];

/** One word for each kind of object that has several names. */
const SAME_THING: Readonly<Record<string, string>> = {
  hook: "webhook",
  organization: "org",
  pull: "pr",
  repository: "repo",
};

/** Common names for operations of GitHub's REST API. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  "github.actions.delete-actions-cache-by-key": ["cache delete"],
  "github.actions.list-self-hosted-runners-for-repo": ["runner list"],
  "github.actions.download-artifact": ["artifact download"],
  "github.activity.mark-thread-as-done": ["notification done"],
  "github.activity.mark-thread-as-read": ["notification read", "notification mark read"],
  "github.activity.star-repo-for-authenticated-user": ["repo star"],
  "github.activity.unstar-repo-for-authenticated-user": ["repo unstar"],
  "workflow.run.rerun.failed": ["run rerun failed"],
  "github.actions.re-run-job-for-workflow-run": ["job rerun"],
  "github.checks.list-for-ref": ["commit checks"],
  "github.git.create-ref": ["ref create"],
  "github.git.delete-ref": ["ref delete"],
  "github.issues.delete-milestone": ["milestone delete", "milestone remove"],
  "github.issues.get-milestone": ["milestone view", "milestone get"],
  "github.issues.list-events-for-timeline": ["issue timeline", "issue events"],
  "github.issues.update-milestone": [
    "milestone update",
    "milestone edit",
    "milestone close",
    "milestone reopen",
  ],
  "github.pulls.list-requested-reviewers": ["pr reviewers", "pr reviewers list"],
  "github.pulls.remove-requested-reviewers": ["pr reviewers remove"],
  "github.pulls.list-review-comments": ["pr review comments", "pr review comments list"],
  "github.reactions.create-for-issue": ["issue react", "issue reactions add"],
  "github.reactions.create-for-issue-comment": ["comment react"],
  "github.rate-limit.get": ["ratelimit"],
  "github.repos.add-collaborator": ["collaborator add", "repo collaborator add"],
  "github.repos.create-commit-comment": ["commit comment"],
  "github.repos.create-commit-status": ["commit status create", "status create"],
  "github.repos.create-using-template": ["repo create from template"],
  "github.repos.generate-release-notes": ["release generate notes", "release notes"],
  "github.repos.get-combined-status-for-ref": ["commit status", "commit statuses"],
  "github.repos.list-pull-requests-associated-with-commit": ["commit prs", "commit pulls"],
  "github.repos.create-webhook": ["webhook create", "repo webhook create"],
  "github.repos.delete-webhook": ["webhook delete", "repo webhook delete"],
  "github.repos.remove-collaborator": ["collaborator remove", "repo collaborator remove"],
  "github.repos.merge": ["branch merge"],
  "github.repos.rename-branch": ["branch rename"],
  "github.repos.update-branch-protection": ["branch protect", "branch protection set"],
  "github.repos.replace-all-topics": ["repo topic set", "repo topic replace", "topic set"],
  "github.users.list-public-ssh-keys-for-authenticated-user": ["ssh key list"],
};

/** The words of an id. */
interface Wording {
  readonly words: readonly string[];
  readonly isMany: boolean;
}

function toSingular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss)es$/u.test(word)) return word.slice(0, -2);
  return /[^isu]s$/u.test(word) ? word.slice(0, -1) : word;
}

/**
 * Pairs of words that mean the same as one of them: a pull request, a workflow run, the
 * authenticated user.
 */
const PAIRS: readonly (readonly [first: string, second: string, kept: string])[] = [
  ["pull", "request", "pull"],
  ["workflow", "run", "run"],
  ["authenticated", "user", "authenticated"],
];

function splitWords(text: string): string[] {
  const spaced = text.replaceAll(/([a-z])([A-Z])/gu, "$1 $2").toLowerCase();
  // The version suffix of projects is ignored, because there is only one version.
  const words = spaced.split(/[^a-z0-9]+/u).filter((word) => word !== "" && word !== "v2");
  return words.filter((word, index) =>
    PAIRS.every(([first, second, kept]) => {
      const isFirst = word === first && words[index + 1]?.startsWith(second) === true;
      const isSecond = word.startsWith(second) && words[index - 1] === first;
      return !(isFirst || isSecond) || word.startsWith(kept);
    }),
  );
}

function toThing(word: string): string {
  const singular = toSingular(word);
  return SAME_THING[singular] ?? singular;
}

function readWording(id: string): Wording {
  const words = splitWords(id);
  const last = words.slice(1).findLast((word) => !READ.includes(word)) ?? "";
  return { words: words.map(toThing), isMany: words.includes("list") || toSingular(last) !== last };
}

/** Computes a value only when it is first needed, because most commands never need it. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The size of the cache: about as many ids as GitHub has operations. */
const MAX_REMEMBERED = 4_000;

function remembered<T>(make: (id: string) => T): (id: string) => T {
  const known = new Map<string, T>();
  return (id) => {
    const found = known.get(id) ?? make(id);
    if (known.size < MAX_REMEMBERED) known.set(id, found);
    return found;
  };
}

function verbsLike(verb: string): readonly string[] {
  return VERBS.find((group) => group.includes(verb)) ?? [verb];
}

/** An operation that an id may mean. */
interface Candidate extends Wording {
  readonly id: string;
  readonly verb: string;
  /** The words of the first part of the id, without `github`. */
  readonly things: readonly string[];
}

function readCandidate(id: string): Candidate {
  const parts = id.split(".");
  const isRaw = parts[0] === "github";
  const things = splitWords(parts[isRaw ? 1 : 0]!).map(toThing);
  const wording = readWording(["-", ...parts.slice(isRaw ? 2 : 1)].join(" "));
  const verb = isRaw ? wording.words[0] : wording.words.at(-1);
  return {
    id,
    words: [...things, ...wording.words],
    isMany: wording.isMany,
    verb: verb ?? "",
    things,
  };
}

/**
 * The words of an operation, from its id and from the ids of REST operations that always do the
 * same.
 */
const readCandidates = remembered((id: string): readonly Candidate[] => {
  const others = (SAME[id] ?? []).filter(
    (other) => other.includes("-") && !/[?]|-for-/u.test(other),
  );
  return [
    readCandidate(id),
    ...others.map((other) => ({ ...readCandidate(`github.${other}`), id })),
  ];
});

/** The words that say which object an operation is about. */
function nouns(
  words: readonly string[],
  verb: string | undefined,
  things: readonly string[],
): string {
  const at = verb === undefined ? -1 : words.indexOf(verb);
  const others = words.filter(
    (word, index) => index !== at && !things.includes(word) && !LITTLE.has(word),
  );
  return [...new Set(others)].toSorted().join(" ");
}

function isMeant(guess: Wording, { words, verb, things, isMany }: Candidate): boolean {
  const owners = OWNERS.filter((owner) => guess.words.includes(owner));
  if (owners.some((owner) => !words.includes(owner))) return false;
  const group = verbsLike(verb);
  const said = guess.words.find((word) => group.includes(word));
  if (said === undefined && group !== READ) return false;
  if (said !== undefined && group === READ && isMany !== guess.isMany) return false;
  const about = nouns(words, verb, things);
  if (nouns(guess.words, said, things) !== about) return false;
  if (about !== "") return true;
  // `org.get` means an organization, not its project.
  return things.every(
    (word) => guess.words.includes(word) || (owners.length > 0 && OWNERS.includes(word)),
  );
}

/** The candidates that satisfy a condition; all candidates if none does. */
function preferred(
  candidates: readonly Candidate[],
  wish: (candidate: Candidate) => boolean,
): readonly Candidate[] {
  const found = candidates.filter(wish);
  return found.length === 0 ? candidates : found;
}

function addTo(index: Map<string, Set<string>>, key: string, id: string): void {
  index.set(key, (index.get(key) ?? new Set()).add(id));
}

/** Operations by the words of their other names, including the commands of `gh`. */
const idsByWords = once(() => {
  const index = new Map<string, Set<string>>();
  const add = (name: string, id: string): void =>
    addTo(index, readWording(name).words.join(" "), id);
  for (const [id, names] of Object.entries(OTHER_NAMES)) for (const name of names) add(name, id);
  for (const [command, [id]] of Object.entries(GH_MEANINGS)) add(command, id!);
  return index;
});

/**
 * Raw operations by the names of tools in GitHub's MCP server. Cards have these names as alias ids.
 */
const idsByTool = once(() => {
  const index = new Map<string, Set<string>>();
  for (const [id, names] of Object.entries(toolNames)) {
    if (id.startsWith("github.")) for (const name of names) addTo(index, name, id);
  }
  return index;
});

/** The operations with this name, even if they are not available. */
function findNamed(id: string, guess: Wording): readonly string[] {
  const called = idsByWords().get(guess.words.join(" ")) ?? [];
  return [...called, ...(idsByTool().get(id) ?? [])];
}

/**
 * Whether a guessed id may call the operation directly. Raw writes are only suggested, because they
 * may do less than the name says: `create-tag` creates no visible tag.
 */
function isSafe({ id, verb }: Candidate): boolean {
  return !id.startsWith("github.") || READ.includes(verb);
}

/** Converts Octokit's `repos.createFork` to `repos.create-fork`, as in GitHub's description. */
function hyphenated(id: string): string {
  return id
    .replaceAll(/([a-z])([A-Z])/gu, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
}

/**
 * The operations that an unknown id probably means: those with the same verb and objects in another
 * order, such as for `issue.add_labels` or `repo.contributors`. If there are several, they are only
 * suggestions.
 */
export function findMeantIds(id: string, ids: readonly string[]): readonly string[] {
  const own = `github.${hyphenated(id)}`;
  if (ids.includes(own)) return [own];
  const guess = readWording(id);
  const names = findNamed(id, guess);
  const named = names.length === 0 ? [] : ids.filter((each) => names.includes(each));
  // GitHub's whole API is a separate source, which may have the operation.
  if (named.length > 0 || names.some((each) => each.startsWith("github."))) return named;
  const has = (word: string): boolean => guess.words.includes(word);
  const wishes: readonly ((candidate: Candidate) => boolean)[] = [
    ({ words }) => ACCOUNTS.every((owner) => words.includes(owner) === has(owner)),
    ({ things }) => things.every(has),
    ({ isMany }) => isMany === guess.isMany,
  ];
  const meant = ids.flatMap(readCandidates).filter((each) => isSafe(each) && isMeant(guess, each));
  const found = wishes.reduce(preferred, meant as readonly Candidate[]);
  return [...new Set(found.map((each) => each.id))];
}
