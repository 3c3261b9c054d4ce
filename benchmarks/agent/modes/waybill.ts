import { countedText } from "../play/text.ts";
import { getGuess } from "../scenario/guess.ts";
import { splitParts } from "../scenario/repeat.ts";
import type { Scenario, Step, Text, Turn } from "../types.ts";
import type { Door, Purpose, Said } from "./door.ts";
import { Caller } from "./caller.ts";
import { openCommandDoor } from "./command-door.ts";
import type { LineForm } from "./command-door.ts";
import { valueAtPath, textAt } from "./envelope.ts";
import {
  hasWord,
  knowsChain,
  knowsId,
  knowsInputs,
  knowsOutputs,
  knowsQuestion,
  showsSignature,
} from "./known-calls.ts";
import { openMcpDoor } from "./mcp-door.ts";
import type { Performance, PlayMode, Scene } from "./mode.ts";
import { wholeAnswer } from "./whole-answer.ts";

type Form = "lean" | "indexed";

/** The most pages to read. No task needs more. */
const MAX_PAGES = 10;

/** An agent that calls Waybill in one of its ways, with one of its skills. */
class Agent {
  readonly turns: Turn[] = [];
  readonly outputs: unknown[] = [];
  readonly #door: Door;
  readonly #skill: string;
  readonly #scene: Scene;
  readonly #caller: Caller;
  readonly #listed = new Set<string>();

  constructor(door: Door, skill: string, scene: Scene) {
    this.#door = door;
    this.#skill = skill;
    this.#scene = scene;
    this.#caller = new Caller(door, scene.scenario, {
      hear: (said) => this.#hear(said),
      learn: (step) => this.#learn(step),
    });
  }

  #hear({ turn, text }: Said): unknown {
    this.turns.push(turn);
    return wholeAnswer(turn.send.what, text);
  }

  #isClear(step: Step): boolean {
    return knowsInputs(this.#skill, step) && knowsOutputs(this.#skill, step);
  }

  /** Returns the answer to a guessed call. */
  async #try(hunch: Step | undefined): Promise<string> {
    if (hunch === undefined) return "";
    const said = await this.#door.execute(hunch, "discover");
    this.#hear(said);
    return said.text;
  }

  /**
   * Finds an id by a hunch or by a list. Returns whether the refusal of the hunch showed the
   * signature.
   */
  async #findId({ capability }: Step, hunch: Step | undefined): Promise<boolean> {
    const said = await this.#try(hunch);
    if (showsSignature(said, capability)) return true;
    const [thing = ""] = capability.split(".");
    if (this.#listed.has(thing) || hasWord(said, capability)) return false;
    this.#hear(await this.#door.list(thing));
    this.#listed.add(thing);
    return false;
  }

  /** Looks up what the skill does not say, once for each capability. */
  async discover({ steps, hunch }: Scenario): Promise<void> {
    const calls = new Map(steps.map((step) => [step.capability, step]));
    for (const step of calls.values()) {
      const isFound = knowsId(this.#skill, step.capability);
      const hasSignature = !isFound && (await this.#findId(step, hunch));
      const isClear = hasSignature ? knowsOutputs(this.#skill, step) : this.#isClear(step);
      if (!isClear) this.#hear(await this.#door.explain(step.capability));
    }
  }

  /** Looks up the inputs of the call that checks for a lost write. */
  async #learn(step: Step): Promise<void> {
    if (!this.#isClear(step)) this.#hear(await this.#door.explain(step.capability));
  }

  /** Looks up the keywords of chains, if neither the skill nor a definition contains them. */
  async discoverChain(steps: readonly Step[], told: string): Promise<void> {
    if (knowsChain(told, steps)) return;
    const help = await this.#door.help?.("chain");
    if (help === undefined || !knowsChain(help.text, steps)) {
      throw new Error("The words of this chain stand in no text that is read");
    }
    this.#hear(help);
  }

  /**
   * Looks up the inputs of a question about code: in the help, or in the error for a question
   * without inputs.
   */
  async discoverQuestion(step: Step, told: string): Promise<void> {
    if (knowsQuestion(told, step)) return;
    const help = await this.#door.help?.("graph");
    if (help !== undefined) this.#hear(help);
    if (help !== undefined && knowsQuestion(help.text, step)) return;
    this.#hear(await this.#door.graph(step.capability.replace("graph.", ""), {}, "discover"));
  }

  async guess(guess: Step): Promise<void> {
    this.#hear(await this.#door.execute(guess, "call"));
  }

  /** Runs one step after the other, page by page. */
  async executeEach(steps: readonly Step[], purpose: Purpose): Promise<void> {
    for (const step of steps) await this.#executeOne(step, purpose);
  }

  async #executeOne(step: Step, purpose: Purpose): Promise<void> {
    const pages = this.#scene.scenario.assertions.pages ?? 1;
    let after: string | undefined;
    for (let page = 0; page < Math.min(pages, MAX_PAGES); page += 1) {
      const envelope = await this.#caller.call(step, purpose, after);
      this.outputs.push(envelope);
      after = textAt(envelope, "meta", "pagination", "end_cursor");
      if (
        after === undefined ||
        valueAtPath(envelope, "meta", "pagination", "has_next_page") !== true
      )
        return;
    }
  }

  async executeAll(steps: readonly Step[], purpose: Purpose): Promise<void> {
    this.outputs.push(...(await this.#caller.chain(steps, purpose)));
  }

  /** Calls that differ only in an item are sent as one chain, all others one after the other. */
  async executeParts(steps: readonly Step[], purpose: Purpose): Promise<void> {
    for (const part of splitParts(steps)) {
      const isTogether = part.some(({ many }) => many);
      await (isTogether ? this.#executeTogether(part, purpose) : this.executeEach(part, purpose));
    }
  }

  /** A chain of reads whose answer is too long is sent again, in two halves. */
  async #executeTogether(steps: readonly Step[], purpose: Purpose): Promise<void> {
    const outputs = await this.#caller.chain(steps, purpose);
    const isShort = outputs.some((each) => valueAtPath(each, "meta", "truncated") === true);
    if (!isShort || steps.length === 1) return void this.outputs.push(...outputs);
    const middle = Math.ceil(steps.length / 2);
    await this.#executeTogether(steps.slice(0, middle), purpose);
    await this.#executeTogether(steps.slice(middle), purpose);
  }

  async ask(step: Step, purpose: Purpose): Promise<void> {
    const tool = step.capability.replace("graph.", "");
    this.outputs.push(this.#hear(await this.#door.graph(tool, step.params, purpose)));
  }
}

type Open = "mcp" | "command";

const skills = new Map<string, string>();

/** The skill text that the command prints. Read once, because it is always the same. */
async function getSkill({ stage }: Scene, form: Form, door: Open): Promise<string> {
  const line = `waybill skill --door ${door}${form === "lean" ? "" : " --indexed"}`;
  const known = skills.get(line);
  if (known !== undefined) return known;
  const { stdout } = await stage.shell(line);
  skills.set(line, stdout.trimEnd());
  return stdout.trimEnd();
}

async function getDefinitions({ stage }: Scene, door: Door, skill: string): Promise<Text[]> {
  const others = await door.definitions();
  const told = skill === "" ? [] : [["skill", skill] as const];
  return [...told, ...others].map(([what, text]) => countedText(what, stage.steady(text)));
}

/** All text from the start of the session. */
function toldBy(definitions: readonly Text[]): string {
  return definitions.map(({ text }) => text ?? "").join("\n");
}

async function act(agent: Agent, { scenario, variant }: Scene, told: string): Promise<void> {
  const { steps, kind } = scenario;
  const guess = getGuess(scenario);
  const [first] = steps;
  if (first === undefined) throw new Error(`${scenario.id} has no steps`);
  const isGuess = variant === "guess" && guess !== undefined;
  const purpose = isGuess ? "recover" : "call";
  if (kind === "code") {
    await agent.discoverQuestion(first, told);
    return agent.ask(first, purpose);
  }
  await agent.discover(scenario);
  if (kind === "chain" || steps.some(({ many }) => many)) await agent.discoverChain(steps, told);
  if (isGuess) await agent.guess(guess);
  if (kind === "bulk") return agent.executeParts(steps, purpose);
  return kind === "chain" ? agent.executeAll(steps, purpose) : agent.executeEach(steps, purpose);
}

interface PlayOptions {
  readonly form: Form;
  readonly line: LineForm;
}

async function perform(
  scene: Scene,
  open: Open,
  { form, line }: PlayOptions,
): Promise<Performance> {
  const { stage, scenario } = scene;
  // The description of the graph's tool contains everything, so no skill is needed.
  const isToldByTool = open === "mcp" && scenario.kind === "code";
  const skill = isToldByTool ? "" : await getSkill(scene, form, open);
  // Brief answers: the skill asks for them with the command, and `waybill setup` configures them
  // for MCP.
  const door =
    open === "mcp"
      ? await openMcpDoor(stage, scenario.kind, true)
      : openCommandDoor(stage, true, line);
  const definitions = await getDefinitions(scene, door, skill);
  const agent = new Agent(door, skill, scene);
  await act(agent, scene, toldBy(definitions));
  return { definitions, turns: agent.turns, outputs: agent.outputs, answer: scenario.answer };
}

export function waybillMode(open: Open, form: Form, line: LineForm = "named"): PlayMode {
  return (scene) => perform(scene, open, { form, line });
}
