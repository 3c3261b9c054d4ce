import { Machine } from "./machine.js";
import { readProgram } from "./read-program.js";

const PROGRAM = 'const found = await waybill.call("a.b", { c: 1 }); return found.c + 1;';
const LIMIT = 10_000;
const CONFIG = {
  roots: ["waybill"],
  seed: 1,
  limits: {
    calls: LIMIT,
    inputBytes: LIMIT,
    roundBytes: LIMIT,
    logBytes: LIMIT,
    answerBytes: LIMIT,
  },
};

/**
 * Runs a small program in advance, so that everything is compiled before the first real one.
 * @param {number} memoryBytes
 */
export async function rehearse(memoryBytes) {
  const { facts } = await readProgram(PROGRAM);
  const config = JSON.stringify(CONFIG);
  const machine = await Machine.create({ kind: "start", code: "", config, now: 0, memoryBytes });
  const { calls } = machine.start(facts?.code ?? "");
  const answers = calls.map(({ n }) => ({ n, id: "a.b", form: "data", data: { c: 1 } }));
  machine.settle(JSON.stringify({ answers, shapes: {} }));
}
