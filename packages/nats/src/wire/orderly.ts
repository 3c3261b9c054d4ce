/** Runs what comes in in its order, at once where nothing has to be waited for. */
export class Orderly {
  #last: Promise<void> | undefined;

  /** A task must not fail; it returns a promise only where it waits for something. */
  run(task: () => void | Promise<void>): void {
    if (this.#last === undefined) {
      const started = task();
      if (started !== undefined) this.#follow(started);
      return;
    }
    this.#follow(this.#last.then(task));
  }

  #follow(work: Promise<void>): void {
    const done = work.finally(() => {
      if (this.#last === done) this.#last = undefined;
    });
    this.#last = done;
  }
}
