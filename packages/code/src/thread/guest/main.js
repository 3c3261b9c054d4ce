// @ts-nocheck This text runs inside the sandbox, where a value can be anything. The tests run it there.

/**
 * The content of a new sandbox before the program starts. It saves the built-ins that it needs, so
 * a program that changes them breaks only itself. It has no access to the host: the thread calls
 * `begin`, `start`, `settle` and `take`, which accept and return text. The engine calls
 * `noteRejection`.
 */
export function guestMain(makeNames, makeValues, makeResults, makeCalls, guardPrimitives) {
  const { parse, stringify } = JSON;
  const { create, defineProperty, freeze } = Object;
  const { apply } = Reflect;
  // oxlint-disable-next-line unbound-method -- called by apply; the program may change the prototype.
  const { slice } = String.prototype;
  const GuestError = Error;
  const text = String;
  const MAX_TEXT = 10_000;
  const MAX_DETAILS = 100_000;
  const MAX_FACTS = 1_000_000;
  /** The turn that is reported if the program broke a function that this file needs. */
  const NO_TURN =
    '{"facts":{"status":"stopped","logs":[],"open":0,"isHanging":false},"calls":[],"value":null}';

  const state = {
    status: "running",
    /** Why the run stopped before the program's end: a limit, or a value that is not known yet. */
    stopped: undefined,
    failure: undefined,
    limits: {},
    stop(reason) {
      if (state.status === "running") {
        state.status = "stopped";
        state.stopped = reason;
      }
      return new GuestError(reason.message);
    },
  };
  const values = makeValues(state);
  const results = makeResults(makeNames(), values);
  const calls = makeCalls(state, values, results);
  const { plain, settled, shown } = values;
  let valueText = "null";
  /** The first path in the value that became null, because JSON cannot express it. */
  let blank;
  let logs = [];
  let logSize = 0;
  /** The errors of promises that failed, as long as nobody handles them. */
  const unhandled = new Map();
  const MAX_UNHANDLED = 100;

  function short(value) {
    try {
      return apply(slice, text(value), [0, MAX_TEXT]);
    } catch {
      return "";
    }
  }

  /** The details of a failed call. An error of the program itself may have any details. */
  function plainDetails(details) {
    const made = details === undefined ? undefined : stringify(plain(details, "details"));
    return made === undefined || made.length > MAX_DETAILS ? undefined : parse(made);
  }

  function readThrown(thrown) {
    if (!(thrown instanceof GuestError)) {
      return { name: "Error", message: short(`The program threw ${shown(thrown)}`), stack: "" };
    }
    const { name, message, stack, code, outcome, retryable, details, callNumber } = thrown;
    return {
      name: short(name),
      message: short(message),
      stack: short(stack),
      code: code === undefined ? undefined : short(code),
      outcome: outcome === undefined ? undefined : short(outcome),
      retryable: retryable === true,
      details: plainDetails(details),
      isCall: callNumber !== undefined,
    };
  }

  function describeError(thrown) {
    try {
      return readThrown(thrown);
    } catch {
      const message = "The program threw something that cannot be read. Throw an Error";
      return { name: "Error", message, stack: "" };
    }
  }

  /** Limits the length of error messages too. */
  function guarded(work) {
    return (given) => {
      try {
        return work(given);
      } catch (thrown) {
        const { name, message } = describeError(thrown);
        // Has no prototype, because the program may have changed it.
        const failure = create(null);
        failure.name = name;
        failure.message = message;
        failure.stack = "";
        throw failure;
      }
    };
  }

  function log(...given) {
    const { logBytes } = state.limits;
    if (logSize > logBytes) return;
    const line = given.map(shown).join(" ");
    logSize += line.length + 1;
    if (logSize <= logBytes) logs.push(line);
    else logs.push(`… the rest is left out: console.log is limited to ${logBytes} characters`);
  }

  /** All methods of the console print in the same way. */
  function makeConsole(print) {
    const names = ["log", "info", "warn", "error", "debug", "table", "dir", "trace", "group"];
    const nothing = () => {};
    const made = { groupEnd: nothing, time: nothing, timeEnd: nothing };
    for (const name of names) made[name] = print;
    return made;
  }

  function seededRandom(seed) {
    let mixed = seed >>> 0;
    return () => {
      mixed = (mixed + 0x6d2b79f5) >>> 0;
      let next = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
      next ^= next + Math.imul(next ^ (next >>> 7), next | 61);
      return ((next ^ (next >>> 14)) >>> 0) / 4_294_967_296;
    };
  }

  function define(name, value) {
    const rest = { enumerable: false, writable: true, configurable: true };
    defineProperty(globalThis, name, { value, ...rest });
  }

  // Deep enough to show the program's own line below the functions of this file.
  GuestError.stackTraceLimit = 40;

  /** Without this, a time zone would be ignored and the time would be wrong. */
  function refuseTimeZones(name) {
    const local = Date.prototype[name];
    const value = function (locales, options) {
      const zone = options?.timeZone;
      if (zone !== undefined && zone !== "UTC") {
        throw new TypeError(`The time zone "${zone}" is not available. Programs know only UTC.`);
      }
      return apply(local, this, []);
    };
    defineProperty(Date.prototype, name, { ...values.enumerable(value), enumerable: false });
  }
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]) {
    refuseTimeZones(name);
  }

  guardPrimitives();

  // Removes globals that show the time or when memory is freed: a repeated run would differ.
  for (const name of ["performance", "WeakRef", "FinalizationRegistry", "SharedArrayBuffer"]) {
    delete globalThis[name];
  }

  function begin(given) {
    const { limits, seed, roots, input } = parse(given);
    state.limits = limits;
    defineProperty(Math, "random", values.enumerable(seededRandom(seed)));
    define("console", freeze(makeConsole(log)));
    for (const root of roots) define(root, calls.namespace(root));
    if (input !== undefined) define("input", input);
  }

  async function finish(program) {
    const value = await settled(await program());
    state.blank = undefined;
    const made = stringify(plain(value, "")) ?? "null";
    blank = state.blank;
    const { answerBytes } = state.limits;
    if (made.length <= answerBytes) return made;
    const message = `The program returned ${made.length} characters, but the limit is ${answerBytes}. Return less`;
    throw state.stop({ limit: "answer", message });
  }

  function start(program) {
    const end = (status) => {
      if (state.status === "running") state.status = status;
    };
    finish(program)
      .then((made) => {
        valueText = made;
        return end("returned");
      })
      .catch((thrown) => {
        state.failure = describeError(thrown);
        end("failed");
      });
  }

  function settle(given) {
    const round = parse(given);
    results.learn(round.shapes);
    for (const answer of round.answers) calls.settleOne(answer);
  }

  /** The engine calls this when a promise fails without a handler, and when it gets one later. */
  function noteRejection(promise, error, isHandled) {
    if (isHandled) unhandled.delete(promise);
    else if (unhandled.size < MAX_UNHANDLED) unhandled.set(promise, error);
  }

  /** Everything that happened since the last call of this function. */
  function takeTurn() {
    const open = calls.openCalls();
    if (state.status === "returned" && open === 0 && unhandled.size > 0) {
      state.failure = describeError([...unhandled.values()][0]);
      state.status = "failed";
    }
    const { status, stopped, failure } = state;
    const isHanging = status === "running" && open === 0;
    // Most turns of a program have nothing to report but its calls.
    const isPlain = status === "running" && logs.length === 0 && failure === undefined;
    const facts = isPlain
      ? `{"status":"running","logs":[],"open":${open},"isHanging":${isHanging}}`
      : stringify({ status, stopped, failure, logs, open, isHanging, blank });
    if (!isPlain) logs = [];
    return `{"facts":${facts},"calls":[${calls.takeCalls()}],"value":${valueText}}`;
  }

  /** Only a program that changed built-in functions can exceed the limit here. */
  function take() {
    const { roundBytes, answerBytes } = state.limits;
    const made = takeTurn();
    return made.length > roundBytes + answerBytes + MAX_FACTS ? NO_TURN : made;
  }

  return {
    begin: guarded(begin),
    start: guarded(start),
    settle: guarded(settle),
    take: guarded(take),
    noteRejection,
  };
}
