import { HEADS, branchOid, commitFiles } from "../store/commits.ts";
import type { Issue, Organization, PullRequest, Repository, User } from "../store/model.ts";
import { moveRef } from "../store/mutations/refs.ts";
import type { Store } from "../store/store.ts";

const START = Date.parse("2026-01-05T09:00:00Z");
const MINUTE = 60_000;

/**
 * Builds the history of a world. It has its own clock, people by name, and short functions for
 * commits.
 */
export class Seed {
  readonly store: Store;
  readonly people = new Map<string, User>();
  #now = START;

  constructor(store: Store) {
    this.store = store;
  }

  readonly clock = (): Date => new Date(this.#now);

  tick(minutes = 10): void {
    this.#now += minutes * MINUTE;
  }

  #account(login: string, name: string, facts: Partial<User>): User {
    return this.store.create<User>("User", {
      login,
      name,
      email: `${login}@users.noreply.github.com`,
      bio: null,
      company: null,
      location: null,
      websiteUrl: null,
      ...facts,
    });
  }

  bot(login: string): void {
    this.store.bots.push(this.#account(login, login, { isBot: true }));
  }

  person(login: string, name: string, facts: Partial<User> = {}): User {
    const user = this.#account(login, name, facts);
    this.store.users.push(user);
    this.people.set(login, user);
    return user;
  }

  organization(login: string, name: string, members: readonly User[]): Organization {
    const organization = this.store.create<Organization>("Organization", {
      login,
      name,
      description: "Small things, greeted well",
      members: [...members],
      issueTypes: [],
    });
    this.store.organizations.push(organization);
    return organization;
  }

  /**
   * Commits files to a branch (null deletes one). Creates the branch from `from` if it does not
   * exist.
   */
  commit(
    repository: Repository,
    author: User,
    branch: string,
    message: string,
    files: Readonly<Record<string, string | null>>,
    from = repository.defaultBranch,
  ): string {
    const parent = branchOid(repository, branch) ?? branchOid(repository, from) ?? null;
    const additions = new Map<string, Buffer>();
    const deletions: string[] = [];
    for (const [path, text] of Object.entries(files)) {
      if (text === null) deletions.push(path);
      else additions.set(path, Buffer.from(text));
    }
    const edits = { additions, deletions };
    const { oid } = commitFiles(this.store, author, parent, message, edits);
    moveRef(this.store, repository, `${HEADS}${branch}`, oid);
    this.tick();
    return oid;
  }

  label(subject: Issue | PullRequest, ...names: readonly string[]): void {
    const { labels } = subject.repository;
    subject.labels.push(...labels.filter(({ name }) => names.includes(name)));
  }
}
