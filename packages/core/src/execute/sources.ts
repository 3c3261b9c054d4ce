import { errorFromUnknown, fail } from "../envelope/index.ts";
import type { OperationRegistry } from "../registry/index.ts";
import { attachSource } from "../source/index.ts";
import type { AttachedSource, Source, SourceProblem } from "../source/index.ts";

/** Told of what could not be taken in. */
type Report = (problem: SourceProblem) => void;

/** Begun for all at once; a failure is looked at when its turn comes. */
function listing(source: Source): ReturnType<Source["list"]> {
  const listed = new Promise<Awaited<ReturnType<Source["list"]>>>((resolve) => {
    resolve(source.list());
  });
  listed.catch(() => {});
  return listed;
}

/** A Waybill's sources, loaded together when the first of them may be needed. */
export class Sources {
  readonly #registry: OperationRegistry;
  readonly #sources: readonly Source[];
  readonly #report: Report;
  readonly #attached: AttachedSource[] = [];
  #loading: Promise<void> | undefined;
  #isLoaded: boolean;
  #isClosed = false;

  constructor(registry: OperationRegistry, sources: readonly Source[], report: Report) {
    this.#registry = registry;
    this.#sources = sources;
    this.#report = report;
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
    const listed = this.#sources.map((source) => listing(source));
    // One after the other, so that of two sources with one id it is always the first that has it.
    for (const [place, source] of this.#sources.entries()) {
      await this.#loadOne(source, listed[place]!);
    }
    this.#isLoaded = true;
  }

  /** A source that fails is reported and left out; the others are not its hostages. */
  async #loadOne(source: Source, listed: ReturnType<Source["list"]>): Promise<void> {
    try {
      const attached = await attachSource(this.#registry, source, listed);
      this.#attached.push(attached);
      if (this.#isClosed) attached.forget();
      attached.problems.forEach(this.#report);
    } catch (thrown) {
      const { message } = errorFromUnknown(thrown);
      this.#report({ source: source.name, operationId: "", message });
    }
  }
}
