import { TOKENS } from "@waybill/github/emulator";
import { askGithub } from "../agent/programs/ask-github.ts";

export type Person = "octocat" | "monalisa" | "hubot";

const START = Date.parse("2025-09-01T08:00:00Z");
const MINUTE = 60_000;

/**
 * The clock of the embedded GitHub: set while the world is created, then one second per reading.
 */
export class TrialClock {
  #now = START;

  readonly now = (): Date => new Date((this.#now += 1_000));

  set(date: string): void {
    this.#now = Math.max(this.#now, Date.parse(`${date}T09:00:00Z`));
  }

  pass(minutes: number): void {
    this.#now += minutes * MINUTE;
  }
}

/**
 * Creates a world through GitHub's own REST API, so that it contains nothing that GitHub would
 * refuse.
 */
export class Seeder {
  readonly clock: TrialClock;
  readonly #socket: string;

  constructor(socket: string, clock: TrialClock) {
    this.#socket = socket;
    this.clock = clock;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    as: Person = "octocat",
  ): Promise<Record<string, unknown>> {
    this.clock.pass(7);
    const asked = await askGithub(this.#socket, { method, path, body, token: TOKENS[as] });
    if (asked.status >= 300) throw new Error(`${method} ${path}: ${asked.status} ${asked.body}`);
    return asked.body === "" ? {} : (JSON.parse(asked.body) as Record<string, unknown>);
  }

  async issue(repository: string, facts: object, as: Person = "octocat"): Promise<number> {
    const { number } = await this.send("POST", `/repos/${repository}/issues`, facts, as);
    return Number(number);
  }

  async comment(
    repository: string,
    number: number,
    body: string,
    as: Person = "octocat",
  ): Promise<void> {
    await this.send("POST", `/repos/${repository}/issues/${number}/comments`, { body }, as);
  }

  async close(repository: string, number: number, reason = "completed"): Promise<void> {
    const facts = { state: "closed", state_reason: reason };
    await this.send("PATCH", `/repos/${repository}/issues/${number}`, facts);
  }

  async label(repository: string, name: string, color: string): Promise<void> {
    await this.send("POST", `/repos/${repository}/labels`, { name, color });
  }

  async file(repository: string, branch: string, path: string, text: string): Promise<void> {
    const content = Buffer.from(text).toString("base64");
    const facts = { message: `Add ${path}`, content, branch };
    await this.send("PUT", `/repos/${repository}/contents/${path}`, facts);
  }

  /** Creates a branch from the head of main. */
  async branch(repository: string, name: string): Promise<void> {
    const head = await this.send("GET", `/repos/${repository}/git/ref/heads/main`);
    const { sha } = head["object"] as { sha: string };
    await this.send("POST", `/repos/${repository}/git/refs`, { ref: `refs/heads/${name}`, sha });
  }

  async pull(repository: string, facts: object, as: Person = "octocat"): Promise<number> {
    const { number } = await this.send("POST", `/repos/${repository}/pulls`, facts, as);
    return Number(number);
  }

  async review(
    repository: string,
    number: number,
    event: "APPROVE" | "REQUEST_CHANGES" | "COMMENT",
    as: Person,
  ): Promise<void> {
    const facts = { event, body: event === "APPROVE" ? "Good." : "Please look at this again." };
    await this.send("POST", `/repos/${repository}/pulls/${number}/reviews`, facts, as);
  }
}
