import { parsePrinted } from "../play/expression.ts";
import type { Stage } from "../play/stage.ts";
import type { Ran } from "../programs/run-line.ts";
import { countedText, turn } from "../play/text.ts";
import type { Commands, Text, Turn } from "../types.ts";
import { helpPages } from "./gh-help-pages.ts";
import { NoWay, noMistake } from "./mode.ts";
import type { Performance, PlayMode, Scene } from "./mode.ts";
import { getFinding, isOfTheWay } from "./recovery.ts";

const pages = new Map<string, Ran>();

function readRun(stage: Stage, line: string): Promise<Ran> {
  return stage.shell(line);
}

/** A cache of help pages. They never change, so each is printed once. */
async function readHelp(stage: Stage, line: string): Promise<Ran> {
  const page = pages.get(line) ?? (await stage.shell(line));
  pages.set(line, page);
  return page;
}

/** An agent with a shell and a program that it knows, or whose help it reads first. */
class ShellAgent {
  readonly turns: Turn[] = [];
  readonly outputs: unknown[] = [];
  readonly #scene: Scene;
  /** The help pages read so far; absent for an agent that needs none. */
  readonly #pages: Set<string> | undefined;

  constructor(scene: Scene, isStranger: boolean) {
    this.#scene = scene;
    this.#pages = isStranger ? new Set() : undefined;
  }

  /** Reads the help for these lines, if it was not read before. */
  async learn(lines: readonly string[]): Promise<void> {
    if (this.#pages === undefined) return;
    for (const page of helpPages(lines).filter((each) => this.#pages?.has(each) === false)) {
      this.#pages.add(page);
      await this.line(page, "discover");
    }
  }

  /** Runs a line. Returns whether it failed for a temporary reason. */
  async line(line: string, purpose: Turn["purpose"]): Promise<boolean> {
    const { stage } = this.#scene;
    const { code, stdout, stderr } = await (purpose === "discover" ? readHelp : readRun)(
      stage,
      line,
    );
    const [what = line] = /^\S+(?: \w+)?/.exec(line) ?? [];
    this.turns.push(turn(purpose, what, line, stage.steady(stdout + stderr)));
    if (purpose !== "discover") this.#last = parsePrinted(stdout.trim() === "" ? stderr : stdout);
    return code !== 0 && isOfTheWay(stderr);
  }

  #last: unknown;

  /**
   * Replaces `$LAST` by the previous output and `$ID0` by the first id in it, as an agent would
   * copy them.
   */
  #filled(line: string): string {
    const last = this.outputs.at(-1);
    const text = typeof last === "string" ? last.trim() : JSON.stringify(last ?? "");
    const ids = [...text.matchAll(/"id":"([^"]*)"/g)].map(([, id = ""]) => id);
    return line
      .replaceAll("$LAST", text)
      .replaceAll(/\$ID(\d)/g, (_, index: string) => ids[Number(index)] ?? "");
  }

  /** Checks whether a write was applied, as a competent agent does. */
  async #isThere({ check, seen }: Commands): Promise<boolean> {
    if (check === undefined || seen === undefined) return false;
    await this.learn([check]);
    await this.line(check, "recover");
    return getFinding(seen, this.#last) !== undefined;
  }

  /** Retries a read. Retries a write only if it was not applied. */
  async command(given: string, commands: Commands, purpose: Turn["purpose"]): Promise<void> {
    const line = this.#filled(given);
    const isLost = await this.line(line, purpose);
    if (isLost && !(await this.#isThere(commands))) await this.line(line, "recover");
    this.outputs.push(this.#last);
  }
}

async function perform(
  scene: Scene,
  commands: Commands | string,
  start: readonly Text[] = [],
  isStranger = false,
): Promise<Performance> {
  if (typeof commands === "string") throw new NoWay(commands);
  const { variant } = scene;
  if (variant === "guess" && commands.guess === undefined) throw noMistake(scene.scenario);
  const agent = new ShellAgent(scene, isStranger);
  await agent.learn(commands.run);
  if (variant === "guess" && commands.guess !== undefined) await agent.line(commands.guess, "call");
  const purpose = variant === "guess" ? "recover" : "call";
  for (const line of commands.run) await agent.command(line, commands, purpose);
  const { turns, outputs } = agent;
  return { definitions: start, turns, outputs, answer: commands.answer };
}

/** An agent that knows every flag and field, and needs no help. */
export const ghKnown: PlayMode = (scene) => perform(scene, scene.scenario.gh);

/** An agent that reads the overview once, and the help of each command that it uses. */
export const ghHelp: PlayMode = async (scene) => {
  const { gh } = scene.scenario;
  const { stdout } = await readHelp(scene.stage, "gh --help");
  return perform(scene, gh, [countedText("gh --help", stdout.trimEnd())], true);
};

/** An agent with `grep` and `cat`, which knows both. */
export const grep: PlayMode = (scene) => perform(scene, scene.scenario.grep);
