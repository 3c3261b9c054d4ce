import { parentPort } from "node:worker_threads";
import { Machine, prepareMachine } from "./machine.js";
import { readProgram } from "./read-program.js";

/** @typedef {import("../sandbox/messages.ts").ThreadMessage} ThreadMessage */
/** @typedef {import("../sandbox/messages.ts").TurnAnswer} TurnAnswer */
/** @typedef {import("../sandbox/messages.ts").ReadAnswer} ReadAnswer */

/** @type {Machine | undefined} */
let machine;

/** @param {unknown} thrown @returns {import("../sandbox/messages.ts").Broken} */
function brokenBy(thrown) {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (/call stack|stack overflow/iu.test(message)) return { broken: "stack", message };
  if (/out of memory|memory access|unreachable/iu.test(message))
    return { broken: "memory", message };
  return { broken: "engine", message };
}

/** @param {ThreadMessage} message @returns {Promise<TurnAnswer | ReadAnswer>} */
async function answerTo(message) {
  if (message.kind === "read") return readProgram(message.program);
  try {
    if (message.kind === "settle" && machine !== undefined) return machine.settle(message.round);
    if (message.kind !== "start") throw new Error("There is no program to resume");
    machine = await Machine.create(message);
    return machine.start(message.code);
  } catch (thrown) {
    return brokenBy(thrown);
  }
}

/** A failure here happens again when a program starts, and is reported then. */
const prepared = prepareMachine()
  .catch(() => undefined)
  .then(() => parentPort?.postMessage({ ready: true }, []));

parentPort?.on("message", (/** @type {ThreadMessage} */ message) => {
  void prepared.then(() => answerTo(message)).then((answer) => parentPort?.postMessage(answer, []));
});
