/** Runs tasks in order. A task runs immediately if nothing has to be awaited before. */
export class OrderedTasks {
  #last: Promise<void> | undefined;

  /** A task must not throw. It returns a promise only if it awaits something. */
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
