import type { Repository, Workflow } from "../store/model.ts";
import { createIssue } from "../store/mutations/issues.ts";
import { createRepository, setStar } from "../store/mutations/repositories.ts";
import type { Store } from "../store/store.ts";
import {
  seedDiscussions,
  seedPersonal,
  seedProjects,
  seedReleases,
} from "./releases-and-projects.ts";
import { writeBranches, writeHistory, writeIssues } from "./hello.ts";
import { seedPeople } from "./people.ts";
import type { People } from "./people.ts";
import { seedFix, seedOthers, seedRuns } from "./pulls.ts";
import { Seed } from "./seed.ts";
import { WORLD_TOKENS } from "./tokens.ts";
import type { Token } from "./tokens.ts";

/** Fills an empty store and returns its tokens. */
export type World = (store: Store) => readonly Token[];

/** The small world: an organisation, octo/hello with every kind of object, and octo/atlas. */
export const octoWorld: World = (store) => {
  const seed = new Seed(store);
  store.during(seed.clock, () => build(seed));
  return WORLD_TOKENS;
};

function build(seed: Seed): void {
  const { store } = seed;
  const slug = "github-actions";
  const app = { id: 15_368, nodeId: "MDM6QXBwMTUzNjg=", slug, name: "GitHub Actions" };
  store.apps.push({ ...app, createdAt: store.now() });
  const people = seedPeople(seed);
  const hello = makeHello(seed, people);
  writeHistory(seed, hello, people);
  const [ci] = addWorkflows(seed, hello);
  const planned = writeIssues(seed, hello, people);
  writeBranches(seed, hello, people);
  const fix = seedFix(seed, hello, people, planned);
  const [locale, ...others] = seedOthers(seed, hello, people);
  seedRuns(seed, hello, people, ci!);
  seedReleases(seed, hello, people);
  hello.protections.set("main", { requiredApprovals: 1, requiredChecks: ["lint"] });
  seedDiscussions(seed, hello, people);
  makeAtlas(seed, people);
  seedProjects(seed, people, [planned.empty, planned.languages, fix]);
  seed.bot("copilot-swe-agent");
  seedPersonal(seed, people, [planned.empty, fix, ...others.slice(0, 1), locale!]);
}

function makeHello({ store }: Seed, { octocat, monalisa, octo }: People): Repository {
  const settings = { hasDiscussions: true, autoMergeAllowed: true };
  const description = "Greets people, politely";
  const hello = createRepository(store, octocat, {
    name: "hello",
    owner: octo,
    description,
    settings,
  });
  hello.collaborators.set(monalisa, "WRITE");
  Object.assign(hello, {
    language: "TypeScript",
    license: { key: "mit", name: "MIT License", spdxId: "MIT" },
    homepage: "https://example.com/hello",
    topics: ["greetings", "typescript"],
  });
  setStar(store, octocat, hello, true);
  setStar(store, monalisa, hello, true);
  hello.watchers.push(octocat);
  store.moved.set("octo/hello-world", hello);
  return hello;
}

function addWorkflows({ store }: Seed, repository: Repository): Workflow[] {
  const plans = [
    ["CI", ".github/workflows/ci.yml"],
    ["Publish", ".github/workflows/publish.yml"],
  ] as const;
  for (const [name, path] of plans) {
    const facts = { repository, name, path, state: "active" } as const;
    repository.workflows.push(store.create<Workflow>("Workflow", facts));
  }
  return repository.workflows;
}

function makeAtlas(seed: Seed, { octocat, monalisa, octo }: People): void {
  const { store } = seed;
  const facts = { name: "atlas", owner: octo, description: "Where things are", isPrivate: true };
  const atlas = createRepository(store, octocat, { ...facts, hasReadme: true });
  atlas.collaborators.set(monalisa, "READ");
  seed.tick();
  createIssue(store, octocat, atlas, { title: "Draw the first map", body: "" });
}
