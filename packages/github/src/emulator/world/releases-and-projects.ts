import type {
  Discussion,
  DiscussionCategory,
  Issue,
  Account,
  Project,
  ProjectField,
  Repository,
  User,
  Notification,
  PullRequest,
} from "../store/model.ts";
import { createProject } from "../store/mutations/create-project.ts";
import type { FieldPlan } from "../store/mutations/create-project.ts";
import { addDiscussionComment, createDiscussion } from "../store/mutations/discussions.ts";
import { createGist } from "../store/mutations/personal.ts";
import { addDraft, addItem, setValue } from "../store/mutations/projects.ts";
import { createRelease, uploadAsset } from "../store/mutations/releases.ts";
import type { People } from "./people.ts";
import type { Seed } from "./seed.ts";

export function seedReleases({ store }: Seed, repository: Repository, { octocat }: People): void {
  const first = createRelease(store, octocat, repository, {
    tagName: "v1.0.0",
    name: "1.0.0",
    body: "Hello.",
  });
  const content = Buffer.from("not really a tarball\n");
  const facts = { name: "hello-1.0.0.tgz", label: null, contentType: "application/gzip", content };
  uploadAsset(store, octocat, first, facts);
  const notes = "## What's new\n\n- `greetAll` greets several people";
  createRelease(store, octocat, repository, { tagName: "v1.1.0", name: "1.1.0", body: notes });
  createRelease(store, octocat, repository, { tagName: "v1.2.0-rc.1", isPrerelease: true });
  createRelease(store, octocat, repository, { tagName: "v2.0.0", name: "2.0.0", isDraft: true });
}

const MORE_FIELDS: readonly FieldPlan[] = [
  { name: "Estimate", dataType: "NUMBER" },
  { name: "Notes", dataType: "TEXT" },
  { name: "Due", dataType: "DATE" },
  {
    name: "Sprint",
    dataType: "ITERATION",
    iterations: [{ id: "a1b2c3d4", title: "Sprint 1", startDate: "2026-02-02", duration: 14 }],
  },
];

function addProject(
  { store }: Seed,
  owner: Account,
  creator: User,
  title: string,
  isPublic: boolean,
): Project {
  const project = createProject(store, creator, owner, { title, fields: MORE_FIELDS });
  project.isPublic = isPublic;
  return project;
}

export function seedProjects(
  seed: Seed,
  { octocat, octo }: People,
  contents: readonly (Issue | PullRequest)[],
): void {
  const { store } = seed;
  const roadmap = addProject(seed, octo, octocat, "Roadmap", true);
  roadmap.shortDescription = "Next steps";
  const field = (name: string): ProjectField => roadmap.fields.find((one) => one.name === name)!;
  const items = contents.map((content) => addItem(store, octocat, roadmap, content));
  addDraft(store, octocat, roadmap, { title: "Think about emoji", body: "" });
  const [first] = items;
  if (first !== undefined) {
    setValue(store, octocat, first, field("Status"), field("Status").options[1]!.id);
    setValue(store, octocat, first, field("Estimate"), 3);
    setValue(store, octocat, first, field("Notes"), "Small, but seen by everyone");
    setValue(store, octocat, first, field("Due"), "2026-03-01");
    setValue(store, octocat, first, field("Sprint"), "a1b2c3d4");
  }
  const own = addProject(seed, octocat, octocat, "Octocat's list", false);
  addDraft(store, octocat, own, { title: "Feed the cat", body: "Twice a day." });
}

export function seedDiscussions(
  seed: Seed,
  repository: Repository,
  { octocat, monalisa, hubot }: People,
): void {
  const { store } = seed;
  const category = (
    name: string,
    slug: string,
    emoji: string,
    isAnswerable: boolean,
  ): DiscussionCategory => {
    const facts = { repository, name, slug, emoji, description: null, isAnswerable };
    const made = store.create<DiscussionCategory>("DiscussionCategory", facts);
    repository.discussionCategories.push(made);
    return made;
  };
  const general = category("General", "general", ":speech_balloon:", false);
  const questions = category("Q&A", "q-a", ":pray:", true);
  const start = (
    author: User,
    where: DiscussionCategory,
    title: string,
    body: string,
  ): Discussion => {
    seed.tick();
    return createDiscussion(store, author, where, { title, body });
  };
  const how = start(hubot, questions, "How do I greet a robot?", "Asking for myself.");
  const answer = addDiscussionComment(store, octocat, how, {
    body: '`greet("Hubot")`',
    replyTo: null,
  });
  addDiscussionComment(store, hubot, how, { body: "Beep.", replyTo: answer });
  Object.assign(how, { answer, answerChosenBy: hubot });
  start(monalisa, general, "Show us your greetings", "Which ones do you use?");
}

export function seedPersonal(
  seed: Seed,
  { octocat, monalisa }: People,
  subjects: readonly (Issue | PullRequest)[],
): void {
  const { store } = seed;
  const gist = (owner: User, name: string, text: string, isPublic: boolean): unknown => {
    seed.tick();
    const files = new Map([[name, text]]);
    return createGist(store, owner, { description: `About ${name}`, isPublic, files });
  };
  gist(octocat, "hello.ts", 'console.log("Hello");\n', true);
  gist(octocat, "notes.md", "# Notes\n", false);
  gist(monalisa, "palette.css", ":root { --fg: #24292f; }\n", true);
  for (const [index, subject] of subjects.entries()) {
    const reason = index === 0 ? "mention" : "review_requested";
    const facts = {
      user: octocat,
      subject,
      reason,
      isUnread: index < 2,
      lastReadAt: null,
    } as const;
    store.notifications.push(store.create<Notification>("Notification", facts));
  }
}
