import { parsed } from "../play/expression.ts";
import type { Stage } from "../play/stage.ts";
import type { Ran } from "../programs/run-line.ts";
import { textOf, turn } from "../play/text.ts";
import type { Commands, Text, Turn } from "../types.ts";
import { helpPages } from "./gh-help-pages.ts";
import { NoWay } from "./mode.ts";
import type { Performance, PlayMode, Scene } from "./mode.ts";

const pages = new Map<string, Ran>();

function runOf(stage: Stage, line: string): Promise<Ran> {
  return stage.shell(line);
}

/** A page of help is the same in every world, so it is printed once. */
async function helpOf(stage: Stage, line: string): Promise<Ran> {
  const page = pages.get(line) ?? (await stage.shell(line));
  pages.set(line, page);
  return page;
}

/** An agent with a shell and a program that it knows, or whose help it reads first. */
class ShellAgent {
  readonly turns: Turn[] = [];
  readonly outputs: unknown[] = [];
  readonly #scene: Scene;
  /** What was read of the help; absent for someone who needs none. */
  readonly #pages: Set<string> | undefined;

  constructor(scene: Scene, isStranger: boolean) {
    this.#scene = scene;
    this.#pages = isStranger ? new Set() : undefined;
  }

  /** Reads the help that lines take, as far as it was not read before. */
  async learn(lines: readonly string[]): Promise<void> {
    if (this.#pages === undefined) return;
    for (const page of helpPages(lines).filter((each) => this.#pages?.has(each) === false)) {
      this.#pages.add(page);
      await this.line(page, "discover");
    }
  }

  async line(line: string, purpose: Turn["purpose"]): Promise<boolean> {
    const { stage } = this.#scene;
    const { code, stdout, stderr } = await (purpose === "discover" ? helpOf : runOf)(stage, line);
    const [what = line] = /^\S+(?: \w+)?/.exec(line) ?? [];
    this.turns.push(turn(purpose, what, line, stage.steady(stdout + stderr)));
    if (purpose !== "discover") this.#last = parsed(stdout.trim() === "" ? stderr : stdout);
    return code === 0;
  }

  #last: unknown;

  /** `$LAST` is what the command before printed, `$ID0` the first id in it: what an agent copies. */
  #filled(line: string): string {
    const last = this.outputs.at(-1);
    const text = typeof last === "string" ? last.trim() : JSON.stringify(last ?? "");
    const ids = [...text.matchAll(/"id":"([^"]*)"/g)].map(([, id = ""]) => id);
    return line
      .replaceAll("$LAST", text)
      .replaceAll(/\$ID(\d)/g, (_, index: string) => ids[Number(index)] ?? "");
  }

  /** A failed read is tried again; after a failed write a competent agent looks, and sees what is so. */
  async command(given: string, { check }: Commands, purpose: Turn["purpose"]): Promise<void> {
    const { stage, variant } = this.#scene;
    const line = this.#filled(given);
    const before = stage.applied();
    const isOk = await this.line(line, purpose);
    const answer = this.#last;
    if (isOk || variant !== "fault") {
      this.outputs.push(answer);
      return;
    }
    const isWrite = check !== undefined && !/ (view|list|checks) /.test(line);
    if (isWrite) await this.learn([check]);
    if (isWrite) await this.line(check, "recover");
    if (stage.applied() === before) await this.line(line, "recover");
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
  if (variant === "guess" && commands.guess === undefined) throw new NoWay("no guess is written");
  const agent = new ShellAgent(scene, isStranger);
  await agent.learn(commands.run);
  if (variant === "guess" && commands.guess !== undefined) await agent.line(commands.guess, "call");
  const purpose = variant === "guess" ? "recover" : "call";
  for (const line of commands.run) await agent.command(line, commands, purpose);
  const { turns, outputs } = agent;
  return { definitions: start, turns, outputs, answer: commands.answer };
}

/** Someone who knows every flag and every field, and needs no help at all. */
export const ghKnown: PlayMode = (scene) => perform(scene, scene.scenario.gh);

/** Someone who reads the overview once, and of each command that is used its help. */
export const ghHelp: PlayMode = async (scene) => {
  const { gh } = scene.scenario;
  const { stdout } = await helpOf(scene.stage, "gh --help");
  return perform(scene, gh, [textOf("gh --help", stdout.trimEnd())], true);
};

/** Someone with `grep` and `cat`, who knows both. */
export const grep: PlayMode = (scene) => perform(scene, scene.scenario.grep);
