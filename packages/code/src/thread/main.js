import { parentPort } from "node:worker_threads";
import { Machine, makeSpare, prepareMachine } from "./machine.js";
import { readProgram } from "./read-program.js";
import { rehearse } from "./rehearse.js";

/** @typedef {import("../sandbox/engine.ts").Engine} Engine */
/** @typedef {import("../sandbox/messages.ts").ThreadMessage} ThreadMessage */
/** @typedef {import("../sandbox/messages.ts").WarmMessage} WarmMessage */
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

let isRehearsed = false;

/** Prepares for the next program. @param {WarmMessage} message */
async function warm({ memoryBytes }) {
  // The last program has ended, so its memory can be freed.
  machine = undefined;
  if (!isRehearsed) await rehearse(memoryBytes);
  isRehearsed = true;
  await makeSpare(memoryBytes);
}

/** @param {Exclude<ThreadMessage, WarmMessage>} message @returns {Promise<TurnAnswer | ReadAnswer>} */
async function answerMessage(message) {
  if (message.kind === "read") return readProgram(message.program);
  try {
    if (message.kind === "settle" && machine !== undefined) return machine.settle(message.round);
    if (message.kind !== "start") throw new Error("There is no program to resume");
    isRehearsed = true;
    machine = await Machine.create(message);
    return machine.start(message.code);
  } catch (thrown) {
    return brokenBy(thrown);
  }
}

/** @param {ThreadMessage} message */
async function receive(message) {
  // Errors are ignored: nobody waits for this, and the same error occurs again when a program runs.
  if (message.kind === "warm") await warm(message).catch(() => {});
  else parentPort?.postMessage(await answerMessage(message), []);
}

/** A failure here occurs again when a program starts, and is reported then. */
parentPort?.once("message", (/** @type {Engine} */ engine) => {
  const prepared = prepareMachine(engine)
    .catch(() => undefined)
    .then(() => parentPort?.postMessage({ ready: true }, []));
  parentPort?.on("message", (/** @type {ThreadMessage} */ message) => {
    void prepared.then(() => receive(message));
  });
});
