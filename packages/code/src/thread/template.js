import { existsSync, readFileSync } from "node:fs";
import { QuickJS } from "quickjs-wasi";
import { guestText } from "./guest/guest-text.js";

/** @typedef {import("quickjs-wasi").Snapshot} Snapshot */
/** @typedef {import("../sandbox/engine.ts").Engine} Engine */
/** @typedef {"begin" | "start" | "settle" | "take" | "noteRejection"} GuestFunction */
/** @typedef {{ snapshot: Snapshot, tokens: Record<GuestFunction, number> }} Guest */
/** @typedef {Guest & { module: WebAssembly.Module }} Template */

/**
 * The first line of a kept guest, as JSON. Only the memory from the first byte that is not 0 is kept.
 * @typedef {object} KeptHead
 * @property {number} engineBytes Size of the engine that it was made with; it fits no other one.
 * @property {number} memoryBytes
 * @property {number} from
 * @property {Omit<Snapshot, "memory">} pointers
 * @property {Guest["tokens"]} tokens
 */

const NANOSECONDS = 1_000_000n;
const GUEST_FUNCTIONS = /** @type {const} */ ([
  "begin",
  "start",
  "settle",
  "take",
  "noteRejection",
]);
/**
 * The sandbox after its own code has run once. The build writes this file; it does not exist in a
 * clone.
 */
const KEPT_GUEST = new URL("guest.snapshot", import.meta.url);

/**
 * The sandbox imports only this clock, which stands still. All other communication is text.
 * @param {{ readonly now: number }} clock
 */
export function fixedClock(clock) {
  return (/** @type {WebAssembly.Memory} */ memory) => ({
    clock_time_get(
      /** @type {number} */ _id,
      /** @type {bigint} */ _precision,
      /** @type {number} */ at,
    ) {
      const time = BigInt(Math.floor(clock.now)) * NANOSECONDS;
      new DataView(memory.buffer).setBigUint64(at, time, true);
      return 0;
    },
  });
}

/** @param {WebAssembly.Module} module @returns {Promise<Guest>} */
async function makeGuest(module) {
  const wasi = fixedClock({ now: 0 });
  const vm = await QuickJS.create({ wasm: module, wasi, timezoneOffset: 0 });
  const made = vm.evalCode(guestText(), "waybill");
  const tokens = /** @type {Guest["tokens"]} */ (
    Object.fromEntries(GUEST_FUNCTIONS.map((name) => [name, vm.exportHandle(made.getProp(name))]))
  );
  return { snapshot: vm.snapshot(), tokens };
}

/** @param {number} engineBytes @returns {Guest | undefined} */
function readGuest(engineBytes) {
  if (!existsSync(KEPT_GUEST)) return undefined;
  const bytes = readFileSync(KEPT_GUEST);
  const end = bytes.indexOf("\n");
  const head = /** @type {KeptHead} */ (JSON.parse(bytes.toString("utf8", 0, end)));
  if (head.engineBytes !== engineBytes) return undefined;
  const memory = new Uint8Array(head.memoryBytes);
  memory.set(bytes.subarray(end + 1), head.from);
  return { snapshot: { ...head.pointers, memory }, tokens: head.tokens };
}

/** The content of the file with the prepared sandbox. @param {Uint8Array<ArrayBuffer>} engine */
export async function guestToKeep(engine) {
  const { snapshot, tokens } = await makeGuest(await WebAssembly.compile(engine));
  const { memory, ...pointers } = snapshot;
  const from = memory.findIndex((byte) => byte !== 0);
  /** @type {KeptHead} */
  const head = {
    engineBytes: engine.length,
    memoryBytes: memory.length,
    from,
    pointers,
    tokens,
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), memory.subarray(from)]);
}

/** Loads or creates the prepared sandbox. @param {Engine} engine @returns {Promise<Template>} */
export async function prepareTemplate({ module, bytes }) {
  return { module, ...(readGuest(bytes) ?? (await makeGuest(module))) };
}
