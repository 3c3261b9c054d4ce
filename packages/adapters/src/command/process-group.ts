import type { ChildProcess } from "node:child_process";
import { signalGroup, watchGroup } from "./live-groups.ts";

/** A program and all processes that it started. They are ended together. */
export class ProcessGroup {
  readonly leader: number;
  readonly #child: ChildProcess;
  readonly #graceMs: number;
  readonly #release: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isEnding = false;

  constructor(child: ChildProcess, leader: number, graceMs: number) {
    this.leader = leader;
    this.#child = child;
    this.#graceMs = graceMs;
    this.#release = watchGroup(leader);
    child.once("exit", () => this.#leaderLeft());
    child.once("close", () => this.#pipesClosed());
  }

  /** Asks the whole group to end, and kills it if it has not ended after the grace period. */
  end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    clearTimeout(this.#timer);
    signalGroup(this.leader, "SIGTERM");
    this.#timer = setTimeout(() => this.#kill(), this.#graceMs).unref();
  }

  /**
   * Children of the program may keep the pipes open without limit, so they are ended after a
   * grace period too.
   */
  #leaderLeft(): void {
    if (this.#isEnding) return;
    this.#timer = setTimeout(() => this.end(), this.#graceMs).unref();
  }

  #pipesClosed(): void {
    if (signalGroup(this.leader, 0)) {
      this.end();
    } else {
      clearTimeout(this.#timer);
      this.#release();
    }
  }

  #kill(): void {
    signalGroup(this.leader, "SIGKILL");
    this.#child.stdin?.destroy();
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#release();
  }
}
