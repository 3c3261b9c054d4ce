import { uncounted } from "./request-count.ts";
import type { CardRoute, RouteAnswer } from "./route.ts";

/** One lookup at one upstream. The same lookup at another upstream is a different one. */
export interface SharedQuestion<T> {
  readonly route: CardRoute;
  /** A key that is equal for equal lookups. */
  readonly key: string;
  readonly ask: () => Promise<RouteAnswer>;
  /** Reads the value from the answer. Null if there is none. */
  readonly read: (answer: RouteAnswer) => T;
}

/** Sends a lookup once for all calls that need its value. Failed and empty lookups are repeated. */
export class SharedLookups {
  readonly #asked = new Map<CardRoute, Map<string, Promise<RouteAnswer>>>();

  /** `wait` is called around the time in which a call waits for the lookup of another call. */
  async ask<T>(question: SharedQuestion<T>, wait: <A>(work: Promise<A>) => Promise<A>): Promise<T> {
    const { route, key, read } = question;
    const known = this.#asked.get(route)?.get(key);
    const answer =
      known === undefined
        ? await this.#add(question)
        : await wait(known).catch((thrown: unknown) => {
            throw uncounted(thrown);
          });
    let value: T | undefined;
    try {
      value = read(answer);
      return value;
    } finally {
      if (value === null || value === undefined) this.#asked.get(route)?.delete(key);
    }
  }

  #add({ route, key, ask }: SharedQuestion<unknown>): Promise<RouteAnswer> {
    const ofRoute = this.#asked.get(route) ?? new Map<string, Promise<RouteAnswer>>();
    const answer = ask();
    this.#asked.set(route, ofRoute.set(key, answer));
    answer.catch(() => ofRoute.delete(key));
    return answer;
  }
}
