import { errorFromUnknown, fail } from "../envelope/index.ts";
import type { OperationRegistry } from "../registry/index.ts";
import { attachSource } from "../source/index.ts";
import type { AttachedSource, Source } from "../source/index.ts";
import { notify } from "./observer.ts";
import type { Observer } from "./observer.ts";

/** A Waybill's sources, loaded together when the first of them may be needed. */
export class Sources {
  readonly #registry: OperationRegistry;
  readonly #sources: readonly Source[];
  readonly #observer: Observer | undefined;
  readonly #attached: AttachedSource[] = [];
  #loading: Promise<void> | undefined;
  #isLoaded: boolean;
  #isClosed = false;

  constructor(registry: OperationRegistry, sources: readonly Source[], observer?: Observer) {
    this.#registry = registry;
    this.#sources = sources;
    this.#observer = observer;
    this.#isLoaded = sources.length === 0;
  }

  /** Loads them all; undefined when they are. */
  get toLoad(): (() => Promise<void>) | undefined {
    return this.#isLoaded ? undefined : this.#load;
  }

  readonly #load = (): Promise<void> => {
    if (this.#isClosed) return Promise.reject(fail("NOT_READY", "This Waybill was closed"));
    this.#loading ??= this.#loadAll();
    return this.#loading;
  };

  /** Closes every source, loaded or not, and waits for none that is still loading. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const attached of this.#attached) attached.forget();
    await Promise.allSettled(this.#sources.map((source) => source.close()));
  }

  async #loadAll(): Promise<void> {
    await Promise.all(this.#sources.map((source) => this.#loadOne(source)));
    this.#isLoaded = true;
  }

  /** A source that fails is reported and left out; the others are not its hostages. */
  async #loadOne(source: Source): Promise<void> {
    try {
      const attached = await attachSource(this.#registry, source);
      this.#attached.push(attached);
      if (this.#isClosed) attached.forget();
      for (const problem of attached.problems) notify(() => this.#observer?.onProblem?.(problem));
    } catch (thrown) {
      const { message } = errorFromUnknown(thrown);
      const problem = { source: source.name, operationId: "", message };
      notify(() => this.#observer?.onProblem?.(problem));
    }
  }
}
