import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";

/** QuickJS, compiled once for all threads of this process. */
export interface Engine {
  readonly module: WebAssembly.Module;
  /** Size of the engine's file in bytes. */
  readonly bytes: number;
}

/** The path of the engine's copy in a build. */
const COPY = new URL("../thread/quickjs.wasm", import.meta.url);

/** V8's default limit of work before it optimises a module, by version of V8. */
const BUDGETS: Readonly<Record<string, number>> = {
  "11.3": 1_800_000,
  "12.4": 13_000_000,
  "13.6": 13_000_000,
};
/** A higher limit, which is reached after some tenths of a second of computing. */
const LATE_BUDGET = 2_000_000_000;

function readEngine(): Buffer<ArrayBuffer> {
  if (existsSync(COPY)) return readFileSync(COPY);
  return readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm"));
}

/**
 * V8 optimises QuickJS after a few milliseconds of work. That takes a fifth of a second of
 * processor time, delays the end of the process, and helps only long computations. So a higher
 * limit is set while the module is compiled, and the module keeps it. V8 also checks functions only
 * when they are called, because most never are, and the engine is a known file. The flags are
 * restored afterwards, because V8 compares them before it reuses code of an earlier process.
 */
function compile(bytes: Buffer<ArrayBuffer>): WebAssembly.Module {
  const [version = ""] = /^\d+\.\d+/u.exec(process.versions.v8) ?? [];
  const usual = BUDGETS[version];
  if (usual === undefined) return new WebAssembly.Module(bytes);
  setFlagsFromString(`--wasm-tiering-budget=${LATE_BUDGET}`);
  setFlagsFromString("--wasm-lazy-validation");
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    setFlagsFromString("--no-wasm-lazy-validation");
    setFlagsFromString(`--wasm-tiering-budget=${usual}`);
  }
}

let engine: Engine | undefined;

/** The engine of this process, compiled when the first thread starts. */
export function loadEngine(): Engine {
  if (engine !== undefined) return engine;
  const bytes = readEngine();
  engine = { module: compile(bytes), bytes: bytes.length };
  return engine;
}
