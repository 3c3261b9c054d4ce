import {
  addComment,
  commitOnBranch,
  createIssue,
  createPull,
  createRepository,
  queueJob,
  startRun,
} from "@waybill/github/emulator";
import type { Store } from "@waybill/github/emulator";

type User = Store["users"][number];
type Repository = Store["repositories"][number];
type Workflow = Repository["workflows"][number];

const TOPICS = ["timetable", "ticket", "berth", "weather", "login", "delay", "crew", "map"];
const WORDS = ["Wrong", "Slow", "Missing", "Confusing"];
const ISSUES = 64;
const FILES = 48;
const PULLS = 40;
const RUNS = 8;
const LOG_LINES = 250;

/** A long text, as reports of users are. */
function reportText(topic: string, index: number): string {
  const steps = Array.from(
    { length: 4 + (index % 5) },
    (_, step) => `${step + 1}. Open the ${topic} page, wait ${step + 2} seconds and press refresh.`,
  );
  return [
    `The ${topic} page does not do what its help says.`,
    "### Steps",
    ...steps,
    "### Expected",
    `The list of the ${topic} shows all departures of the day, with delays in minutes.`,
    "### Environment",
    `Version 1.${index % 4}.0, Linux, Node 20.${index % 10}.0, Europe/Berlin.`,
  ].join("\n");
}

function addIssue(store: Store, ferry: Repository, people: readonly User[], index: number): void {
  const topic = TOPICS[index % TOPICS.length] ?? "";
  const names = [
    ...(index % 3 === 0 ? ["bug"] : []),
    ...(index % 11 === 4 ? ["question"] : []),
    ...(index % 8 === 0 ? ["help wanted"] : []),
    ...(index % 3 === 1 ? ["wontfix"] : []),
  ];
  const assignee = index % 4 === 0 ? people[(index / 4) % 2] : undefined;
  const [author] = people;
  if (author === undefined) throw new Error("The small world has changed");
  const issue = createIssue(store, author, ferry, {
    title: `${WORDS[index % WORDS.length]} ${topic} page, report ${index + 1}`,
    body: reportText(topic, index),
    labels: ferry.labels.filter(({ name }) => names.includes(name)),
    assignees: assignee === undefined ? [] : [assignee],
  });
  for (let count = 0; count < ((index * (index + 1)) / 2) % 4; count += 1) {
    const person = people[(index + count + 1) % people.length];
    if (person !== undefined) addComment(store, person, issue, `Seen too, ${count + 1}.`);
  }
  const closed = { state: "CLOSED", stateReason: "COMPLETED", closedAt: store.now() } as const;
  if (index % 9 === 7) Object.assign(issue, closed);
}

function addFiles(store: Store, author: User, ferry: Repository): void {
  const additions = new Map(
    Array.from({ length: FILES }, (_, index) => {
      const note = index % 10 === 3 ? "// TODO: handle daylight saving time\n" : "";
      const text = `${note}export const line${index} = ${index};\n`;
      return [`src/line-${index}.ts`, Buffer.from(text)] as const;
    }),
  );
  const edits = { additions, deletions: [] };
  const branch = ferry.defaultBranch;
  commitOnBranch(store, author, ferry, { branch, message: "Add the lines", edits });
}

function addPull(store: Store, author: User, ferry: Repository, index: number): void {
  const branch = `change/${index}`;
  const head = ferry.refs.get(`refs/heads/${ferry.defaultBranch}`) ?? "";
  ferry.refs.set(`refs/heads/${branch}`, head);
  const additions = new Map([[`docs/change-${index}.md`, Buffer.from(`Change ${index}\n`)]]);
  if (index % 8 === 1) additions.set(`src/new-${index}.ts`, Buffer.from("export {};\n"));
  const message = `Change ${TOPICS[index % TOPICS.length]} part ${index}`;
  commitOnBranch(store, author, ferry, { branch, message, edits: { additions, deletions: [] } });
  createPull(store, author, ferry, { title: message, head: branch, base: ferry.defaultBranch });
}

/** A workflow run with one job, whose log has many lines. Every third run fails. */
function addRun(store: Store, author: User, workflow: Workflow, index: number): void {
  const { repository } = workflow;
  const branch = repository.defaultBranch;
  const sha = repository.refs.get(`refs/heads/${branch}`) ?? "";
  const run = startRun(store, author, workflow, { branch, sha, event: "push" });
  const job = queueJob(store, run, "test");
  const isRed = index % 3 === 1;
  const message = `expected 07:4${index} to be 07:5${index}`;
  const lines = Array.from(
    { length: LOG_LINES },
    (_, line) => `✓ departs at minute ${line} (3 ms)`,
  );
  if (isRed) lines.push(`##[error]test/line-${index}.test.ts:12:3 ${message}`);
  const startedAt = store.now();
  const ended = {
    status: "COMPLETED",
    conclusion: isRed ? "FAILURE" : "SUCCESS",
    startedAt,
    completedAt: store.now(),
  } as const;
  const log = lines.map((line) => `${startedAt.replace("Z", ".0000000Z")} ${line}\n`).join("");
  job.steps.push({ name: "Run npm test", number: 1, log, ...ended });
  Object.assign(job, ended);
  const path = `test/line-${index}.test.ts`;
  if (isRed) job.annotations.push({ path, line: 12, level: "FAILURE", message });
}

/** octo/ferry: issues with long reports, open pull requests, source files and runs with long logs. */
export function addFerry(store: Store, people: readonly User[]): void {
  const [author] = people;
  const owner = store.organizations.find(({ login }) => login === "octo");
  if (author === undefined || owner === undefined) throw new Error("The small world has changed");
  const facts = { name: "ferry", owner, description: "Timetables of ferries", hasReadme: true };
  const ferry = createRepository(store, author, facts);
  for (const person of people) if (person !== author) ferry.collaborators.set(person, "WRITE");
  for (let index = 0; index < ISSUES; index += 1) addIssue(store, ferry, people, index);
  addFiles(store, author, ferry);
  for (let index = 0; index < PULLS; index += 1) addPull(store, author, ferry, index);
  const workflow = store.create<Workflow>("Workflow", {
    repository: ferry,
    name: "CI",
    path: ".github/workflows/ci.yml",
    state: "active",
  });
  ferry.workflows.push(workflow);
  for (let index = 0; index < RUNS; index += 1) addRun(store, author, workflow, index);
}
