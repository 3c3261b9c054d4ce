import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";

/** QuickJS, compiled once for all threads of the process. */
export interface Engine {
  readonly module: WebAssembly.Module;
  /** Size of its file. */
  readonly bytes: number;
}

/** A build has a copy of the engine beside its threads. */
const COPY = new URL("../thread/quickjs.wasm", import.meta.url);

/** How much V8 lets a module do before it optimises it, by the version of V8. */
const BUDGETS: Readonly<Record<string, number>> = {
  "11.3": 1_800_000,
  "12.4": 13_000_000,
  "13.6": 13_000_000,
};
/** Reached within some tenths of a second of computing. */
const LATE_BUDGET = 2_000_000_000;

function readEngine(): Buffer<ArrayBuffer> {
  if (existsSync(COPY)) return readFileSync(COPY);
  return readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm"));
}

/**
 * V8 optimises QuickJS after a few milliseconds of work. That takes a fifth of a second of processor
 * time, for which a process waits at its end, and is of use only to programs that compute for long. The
 * module remembers the budget, and the flag is as before when this returns: it is part of what V8
 * compares before it uses compiled code of an earlier process.
 */
function compile(bytes: Buffer<ArrayBuffer>): WebAssembly.Module {
  const [version = ""] = /^\d+\.\d+/u.exec(process.versions.v8) ?? [];
  const usual = BUDGETS[version];
  if (usual === undefined) return new WebAssembly.Module(bytes);
  setFlagsFromString(`--wasm-tiering-budget=${LATE_BUDGET}`);
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${usual}`);
  }
}

let engine: Engine | undefined;

/** The engine of this process. It is read and compiled with the first thread. */
export function loadEngine(): Engine {
  if (engine !== undefined) return engine;
  const bytes = readEngine();
  engine = { module: compile(bytes), bytes: bytes.length };
  return engine;
}
