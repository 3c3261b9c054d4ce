import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { QuickJS } from "quickjs-wasi";
import { guestText } from "./guest/guest-text.js";
import { readTurn } from "./read-turn.js";

/** @typedef {import("quickjs-wasi").Snapshot} Snapshot */
/** @typedef {import("quickjs-wasi").JSValueHandle} JSValueHandle */
/** @typedef {import("../sandbox/messages.ts").StartMessage} StartMessage */
/** @typedef {import("../sandbox/messages.ts").Turn} Turn */
/** @typedef {"begin" | "start" | "settle" | "take"} GuestFunction */

const NANOSECONDS = 1_000_000n;
/** Well below what the thread itself has, so that it is QuickJS that notices. */
const STACK_BYTES = 256 * 1_024;
const GUEST_FUNCTIONS = /** @type {const} */ (["begin", "start", "settle", "take"]);

/**
 * The one way out of the sandbox is text, so the only thing it imports is a clock, and that one
 * stands still.
 * @param {number} now
 */
function fixedClock(now) {
  const time = BigInt(Math.floor(now)) * NANOSECONDS;
  return (/** @type {WebAssembly.Memory} */ memory) => ({
    clock_time_get(
      /** @type {number} */ _id,
      /** @type {bigint} */ _precision,
      /** @type {number} */ at,
    ) {
      new DataView(memory.buffer).setBigUint64(at, time, true);
      return 0;
    },
  });
}

/** @typedef {{ module: WebAssembly.Module, snapshot: Snapshot, tokens: Record<GuestFunction, number> }} Template */

/** @type {Promise<Template> | undefined} */
let prepared;

/** Compiles QuickJS and runs the guest's own code once; every run starts from a copy of that. */
export function prepareMachine() {
  return (prepared ??= prepareTemplate());
}

/** @returns {Promise<Template>} */
async function prepareTemplate() {
  const file = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
  const module = await WebAssembly.compile(readFileSync(file));
  const vm = await QuickJS.create({ wasm: module, wasi: fixedClock(0), timezoneOffset: 0 });
  const made = vm.evalCode(guestText(), "waybill");
  const tokens = /** @type {Record<GuestFunction, number>} */ (
    Object.fromEntries(GUEST_FUNCTIONS.map((name) => [name, vm.exportHandle(made.getProp(name))]))
  );
  return { module, snapshot: vm.snapshot(), tokens };
}

/** One program in one instance of QuickJS. */
export class Machine {
  /** @param {QuickJS} vm @param {Template["tokens"]} tokens */
  constructor(vm, tokens) {
    this.vm = vm;
    this.tokens = tokens;
  }

  /** @param {StartMessage} start */
  static async create({ now, config, memoryBytes }) {
    const { module, snapshot, tokens } = await prepareMachine();
    const vm = await QuickJS.restore(snapshot, {
      wasm: module,
      memoryLimit: memoryBytes,
      maxStackSize: STACK_BYTES,
      wasi: fixedClock(now),
      timezoneOffset: 0,
    });
    const machine = new Machine(vm, tokens);
    machine.#tell("begin", config);
    return machine;
  }

  /**
   * Runs the program until it waits for calls or ends.
   * @param {string} program
   */
  start(program) {
    // The first line of the program stays the first line, so that errors name the right one.
    const made = this.vm.evalCode(`(async () => {${program}\n})`, "program");
    this.vm.callFunction(this.#function("start"), this.vm.undefined, made).dispose();
    return this.#turn();
  }

  /**
   * Goes on with the answers to the calls it waited for.
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
    return this.vm.importHandle(this.tokens[name]);
  }
}
