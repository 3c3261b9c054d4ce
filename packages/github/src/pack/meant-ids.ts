/** Verbs with the same meaning. An id without a verb means a read. */
const VERBS: readonly (readonly string[])[] = [
  ["list", "get", "view", "show", "read", "fetch"],
  ["create", "add", "new"],
  ["update", "edit", "set", "replace"],
  ["delete", "remove"],
];

const READ = VERBS[0]!;

/** Words that say where something belongs. People leave them out. */
const LITTLE: ReadonlySet<string> = new Set(
  "for repo authenticated user org enterprise the in a an all of to from by list".split(" "),
);

/** Accounts and repositories. An id that names one does not mean an operation without it. */
const ACCOUNTS = ["org", "user", "enterprise", "authenticated"];
const OWNERS = ["repo", ...ACCOUNTS];

/** One word for each thing with several names. */
const SAME_THING: Readonly<Record<string, string>> = {
  hook: "webhook",
  organization: "org",
  pull: "pr",
  repository: "repo",
};

/** Operations of GitHub's REST API whose own name does not tell what people call them. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  "github.actions.delete-actions-cache-by-key": ["cache delete"],
  "github.actions.list-self-hosted-runners-for-repo": ["runner list"],
  "github.activity.mark-thread-as-done": ["notification done"],
  "github.activity.mark-thread-as-read": ["notification read", "notification mark read"],
  "github.actions.re-run-workflow-failed-jobs": ["run rerun failed"],
  "github.actions.re-run-job-for-workflow-run": ["job rerun"],
  "github.checks.list-for-ref": ["commit checks"],
  "github.issues.list-events-for-timeline": ["issue timeline", "issue events"],
  "github.pulls.list-requested-reviewers": ["pr reviewers", "pr reviewers list"],
  "github.pulls.remove-requested-reviewers": ["pr reviewers remove"],
  "github.pulls.list-review-comments": ["pr review comments", "pr review comments list"],
  "github.reactions.create-for-issue": ["issue react", "issue reactions add"],
  "github.reactions.create-for-issue-comment": ["comment react"],
  "github.repos.create-commit-comment": ["commit comment"],
  "github.repos.create-using-template": ["repo create from template"],
  "github.repos.get-combined-status-for-ref": ["commit status", "commit statuses"],
  "github.repos.list-pull-requests-associated-with-commit": ["commit prs", "commit pulls"],
  "github.users.list-public-ssh-keys-for-authenticated-user": ["ssh key list"],
};

/** An id as its words. */
interface Wording {
  readonly words: readonly string[];
  readonly isMany: boolean;
}

function toSingular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss)es$/u.test(word)) return word.slice(0, -2);
  return /[^isu]s$/u.test(word) ? word.slice(0, -1) : word;
}

/** The word before each of these says the same alone: a pull request, a run, my own. */
const PAIRS: readonly (readonly [first: string, second: string, kept: string])[] = [
  ["pull", "request", "pull"],
  ["workflow", "run", "run"],
  ["authenticated", "user", "authenticated"],
];

function splitWords(text: string): string[] {
  const spaced = text.replaceAll(/([a-z])([A-Z])/gu, "$1 $2").toLowerCase();
  const words = spaced.split(/[^a-z0-9]+/u).filter((word) => word !== "");
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

/** The words that tell what an operation is about. */
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
  return about !== "" || owners.length > 0 || things.every((word) => guess.words.includes(word));
}

/** The candidates that satisfy a wish, or all if none does. */
function preferred(
  candidates: readonly Candidate[],
  wish: (candidate: Candidate) => boolean,
): readonly Candidate[] {
  const found = candidates.filter(wish);
  return found.length === 0 ? candidates : found;
}

function isCalled(id: string, guess: Wording): boolean {
  const said = guess.words.join(" ");
  return OTHER_NAMES[id]!.some((name) => readWording(name).words.join(" ") === said);
}

/**
 * The operations that an id means which no operation has: the same verb and the same things in
 * another order, such as `issue.add_labels` or `repo.contributors`. Several are only suggestions.
 */
export function findMeantIds(id: string, ids: readonly string[]): readonly string[] {
  const guess = readWording(id);
  const named = Object.keys(OTHER_NAMES).filter(
    (each) => isCalled(each, guess) && ids.includes(each),
  );
  if (named.length > 0) return named;
  const has = (word: string): boolean => guess.words.includes(word);
  const wishes: readonly ((candidate: Candidate) => boolean)[] = [
    ({ words }) => ACCOUNTS.every((owner) => words.includes(owner) === has(owner)),
    ({ things }) => things.every(has),
    ({ isMany }) => isMany === guess.isMany,
  ];
  const meant = ids.map(readCandidate).filter((each) => isMeant(guess, each));
  return wishes.reduce(preferred, meant as readonly Candidate[]).map((each) => each.id);
}
