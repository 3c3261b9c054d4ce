import { GitObjects } from "../git/index.ts";
import { Ids, getNodeId } from "./ids.ts";
import type {
  AnyEntity,
  App,
  Entity,
  EventDetails,
  EventType,
  Gist,
  Issue,
  Notification,
  Organization,
  Project,
  PullRequest,
  Repository,
  TimelineEvent,
  User,
} from "./model.ts";

export type Clock = () => Date;

type Times = Partial<Pick<Entity, "createdAt" | "updatedAt">>;

/** All data of the emulator. REST and GraphQL read it; only mutations change it. */
export class Store {
  readonly objects = new GitObjects();
  readonly users: User[] = [];
  /** Apps that issues can be assigned to. Lists of users do not include them. */
  readonly bots: User[] = [];
  readonly organizations: Organization[] = [];
  readonly repositories: Repository[] = [];
  readonly projects: Project[] = [];
  readonly gists: Gist[] = [];
  readonly notifications: Notification[] = [];
  readonly apps: App[] = [];
  /** Repositories by their old names, in lower case. */
  readonly moved = new Map<string, Repository>();
  readonly #nodes = new Map<string, Entity>();
  readonly #applied = new Map<string, number>();
  readonly #ids = new Ids();
  #onApplied: (mutation: string) => void = () => {};
  #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): string {
    return this.#clock()
      .toISOString()
      .replace(/\.\d+Z$/, "Z");
  }

  /** Runs a function with another clock, for example to create old objects of a world. */
  during(clock: Clock, work: () => void): void {
    const own = this.#clock;
    this.#clock = clock;
    work();
    this.#clock = own;
  }

  /** Stores a new entity under the next id of its type. */
  create<E extends Entity>(type: E["type"], facts: Omit<E, keyof Entity> & Times): E {
    const id = this.#ids.next(type);
    const createdAt = facts.createdAt ?? this.now();
    const updatedAt = facts.updatedAt ?? createdAt;
    const base = { type, id, nodeId: getNodeId(type, id), createdAt, updatedAt };
    // The parts form an entity E, but TypeScript cannot verify that through Omit of a type
    // parameter. The ids come last, because `facts` may be copied from another entity.
    const entity = { ...facts, ...base } as unknown as E;
    this.#nodes.set(entity.nodeId, entity);
    return entity;
  }

  node(nodeId: string): AnyEntity | undefined {
    // The cast is safe, because only create() adds to the map, with one of these types.
    return this.#nodes.get(nodeId) as AnyEntity | undefined;
  }

  forget(...entities: readonly Entity[]): void {
    for (const { nodeId } of entities) this.#nodes.delete(nodeId);
  }

  nextId(type: string): number {
    return this.#ids.next(type);
  }

  touch(...entities: readonly Entity[]): void {
    for (const entity of entities) entity.updatedAt = this.now();
  }

  /** Records an event of an issue or pull request. */
  record(
    type: EventType,
    actor: User,
    subject: Issue | PullRequest,
    facts: EventDetails = {},
  ): TimelineEvent {
    const event = this.create<TimelineEvent>(type, { actor, subject, facts });
    subject.timeline.push(event);
    this.touch(subject);
    return event;
  }

  /** Counts each applied mutation, so that tests can compare it with the caller's answer. */
  count(mutation: string): void {
    this.#applied.set(mutation, (this.#applied.get(mutation) ?? 0) + 1);
    this.#onApplied(mutation);
  }

  /** Sets the function that is called right after each mutation was applied. */
  watch(onApplied: (mutation: string) => void): void {
    this.#onApplied = onApplied;
  }

  applied(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#applied);
  }

  /** Resets the counts after the world was built, because no caller made those changes. */
  forgetCounts(): void {
    this.#applied.clear();
  }
}
