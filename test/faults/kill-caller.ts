import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { ResultEnvelope } from "@waybill/core";
import { bundleProgram } from "../support/bundle.ts";
import type { Step } from "./pausing.ts";

export interface CallerOptions {
  readonly url: string;
  /** Path of the journal that all callers share. */
  readonly path: string;
  readonly key: string;
  readonly marker: string;
  /** The capability to call (default: one keyed write). */
  readonly capability?: string;
  /** Where to stop, in order. */
  readonly stops: readonly Step[];
  /** The fault that is injected into the first request. */
  readonly fault?: string | undefined;
}

/** Bundles the callers' program into a folder, because it is started many times. */
export function bundleCaller(folder: string): Promise<string> {
  return bundleProgram(new URL("./caller.ts", import.meta.url), folder);
}

/** A caller in a process of its own. */
export class Caller {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(program: string, options: CallerOptions) {
    const args = [program, JSON.stringify(options)];
    this.#process = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface(this.#process.stdout!)[Symbol.asyncIterator]();
  }

  /** Waits until it has stopped at a step. */
  async stoppedAt(step: Step): Promise<void> {
    const line = await this.#line();
    if (line !== step) throw new Error(`the caller was to stop at ${step} and said ${line}`);
  }

  goOn(): void {
    this.#process.stdin!.write("\n");
  }

  async result(): Promise<ResultEnvelope> {
    return JSON.parse(await this.#line()) as ResultEnvelope;
  }

  /** Kills it at once, without any clean-up. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }

  async #line(): Promise<string> {
    const next = await this.#lines.next();
    return next.done === true ? "nothing more" : next.value;
  }
}
