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

/** Everything this GitHub knows. Both faces read it; only mutations change it. */
export class Store {
  readonly objects = new GitObjects();
  readonly users: User[] = [];
  /** Apps that issues can be assigned to; no list of people shows them. */
  readonly bots: User[] = [];
  readonly organizations: Organization[] = [];
  readonly repositories: Repository[] = [];
  readonly projects: Project[] = [];
  readonly gists: Gist[] = [];
  readonly notifications: Notification[] = [];
  readonly apps: App[] = [];
  /** Lower-case old name → where the repository is now. */
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

  /** Lets something happen at other times, such as the past that a world begins with. */
  during(clock: Clock, work: () => void): void {
    const own = this.#clock;
    this.#clock = clock;
    work();
    this.#clock = own;
  }

  /** Keeps a new thing, under the next id of its type. */
  create<E extends Entity>(type: E["type"], facts: Omit<E, keyof Entity> & Times): E {
    const id = this.#ids.next(type);
    const createdAt = facts.createdAt ?? this.now();
    const updatedAt = facts.updatedAt ?? createdAt;
    const base = { type, id, nodeId: getNodeId(type, id), createdAt, updatedAt };
    // The parts make up an E; TypeScript cannot see that through Omit of a type parameter. The ids
    // come last, for the facts may be those of another one that is copied.
    const entity = { ...facts, ...base } as unknown as E;
    this.#nodes.set(entity.nodeId, entity);
    return entity;
  }

  node(nodeId: string): AnyEntity | undefined {
    // Only create() fills the map, with one of these.
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

  /** Notes what happened to an issue or a pull request. */
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

  /** Counts one application of a mutation; tests compare this with what a caller believes. */
  count(mutation: string): void {
    this.#applied.set(mutation, (this.#applied.get(mutation) ?? 0) + 1);
    this.#onApplied(mutation);
  }

  /** Calls for each mutation from now on, right after it was applied. */
  watch(onApplied: (mutation: string) => void): void {
    this.#onApplied = onApplied;
  }

  applied(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#applied);
  }

  /** Resets the counts, because building the world is nobody's call. */
  forgetCounts(): void {
    this.#applied.clear();
  }
}
