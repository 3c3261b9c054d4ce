import { QuickJS } from "quickjs-wasi";
import { readTurn } from "./read-turn.js";
import { fixedClock, prepareTemplate } from "./template.js";

/** @typedef {import("quickjs-wasi").JSValueHandle} JSValueHandle */
/** @typedef {import("../sandbox/engine.ts").Engine} Engine */
/** @typedef {import("../sandbox/messages.ts").StartMessage} StartMessage */
/** @typedef {import("../sandbox/messages.ts").Turn} Turn */
/** @typedef {import("./template.js").GuestFunction} GuestFunction */
/** @typedef {import("./template.js").Template} Template */

/** Much smaller than the thread's own stack, so that QuickJS notices an overflow first. */
const STACK_BYTES = 256 * 1_024;

/** @type {Promise<Template> | undefined} */
let prepared;

/** Prepares the sandbox that every run copies. @param {Engine} engine */
export function prepareMachine(engine) {
  return (prepared = prepareTemplate(engine));
}

/** @param {QuickJS} vm @param {Template["tokens"]} tokens */
function rejectionNoter(vm, tokens) {
  /** @type {JSValueHandle | undefined} */
  let note;
  return (/** @type {JSValueHandle[]} */ ...given) => {
    try {
      note ??= vm.importHandle(tokens.noteRejection);
      vm.callFunction(note, vm.undefined, ...given).dispose();
    } catch {
      // The program has no memory or stack left, which is reported already.
    }
  };
}

/** @typedef {{ vm: QuickJS, tokens: Template["tokens"], clock: { now: number } }} Instance */

/** @param {number} memoryBytes @returns {Promise<Instance>} */
async function makeInstance(memoryBytes) {
  if (prepared === undefined) throw new Error("The engine is not loaded");
  const { module, snapshot, tokens } = await prepared;
  const clock = { now: 0 };
  /** @type {ReturnType<typeof rejectionNoter> | undefined} */
  let noteRejection;
  const vm = await QuickJS.restore(snapshot, {
    wasm: module,
    memoryLimit: memoryBytes,
    maxStackSize: STACK_BYTES,
    wasi: fixedClock(clock),
    timezoneOffset: 0,
    onUnhandledRejection(promise, error, isHandled) {
      noteRejection?.(promise, error, isHandled ? vm.true : vm.false);
    },
  });
  noteRejection = rejectionNoter(vm, tokens);
  return { vm, tokens, clock };
}

/**
 * A sandbox for the next program.
 * @type {{ memoryBytes: number, made: Promise<Instance> } | undefined}
 */
let spare;

/** Creates a sandbox in advance. @param {number} memoryBytes */
export async function makeSpare(memoryBytes) {
  if (spare?.memoryBytes !== memoryBytes) spare = { memoryBytes, made: makeInstance(memoryBytes) };
  await spare.made;
}

/** @param {number} memoryBytes */
function takeInstance(memoryBytes) {
  const made = spare?.memoryBytes === memoryBytes ? spare.made : makeInstance(memoryBytes);
  spare = undefined;
  return made;
}

/** One program in one instance of QuickJS. */
export class Machine {
  /** @param {Instance} instance */
  constructor({ vm, tokens }) {
    this.vm = vm;
    this.tokens = tokens;
    /** @type {Partial<Record<GuestFunction, JSValueHandle>>} */
    this.functions = {};
  }

  /** @param {StartMessage} start */
  static async create({ now, config, memoryBytes }) {
    const instance = await takeInstance(memoryBytes);
    instance.clock.now = now;
    const machine = new Machine(instance);
    machine.#tell("begin", config);
    return machine;
  }

  /**
   * Runs the program until it waits for calls or ends.
   * @param {string} program
   */
  start(program) {
    // The program starts on the first line, so that errors have the right line numbers.
    const made = this.vm.evalCode(`(async () => {${program}\n})`, "program");
    this.vm.callFunction(this.#function("start"), this.vm.undefined, made).dispose();
    return this.#turn();
  }

  /**
   * Continues with the answers to the calls.
   * @param {string} round
   */
  settle(round) {
    this.#tell("settle", round);
    return this.#turn();
  }

  /** @returns {Turn} */
  #turn() {
    this.vm.executePendingJobs();
    const taken = this.vm.callFunction(this.#function("take"), this.vm.undefined);
    return readTurn(taken.consume((handle) => handle.toString()));
  }

  /** @param {"begin" | "settle"} name @param {string} text */
  #tell(name, text) {
    const given = this.vm.newString(text);
    this.vm.callFunction(this.#function(name), this.vm.undefined, given).dispose();
    given.dispose();
  }

  /** @param {GuestFunction} name @returns {JSValueHandle} */
  #function(name) {
    return (this.functions[name] ??= this.vm.importHandle(this.tokens[name]));
  }
}
