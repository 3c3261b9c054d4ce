// @ts-nocheck This text runs inside the sandbox, where a value can be anything. The tests run it there.

/** Queues the calls of a turn. The host answers all of them at once. */
export function guestCalls(state, { enumerable, groups, plain }, { readResult }) {
  const { stringify } = JSON;
  const { create, defineProperty } = Object;
  const { get: reflectGet, setPrototypeOf } = Reflect;
  const GuestError = Error;
  const GuestMap = Map;
  const GuestPromise = Promise;
  const GuestProxy = Proxy;
  const promisePrototype = GuestPromise.prototype;
  const { asyncIterator, iterator } = Symbol;
  const waiting = new GuestMap();
  /** The names of the capabilities that promises belong to. */
  const names = new WeakMap();
  // oxlint-disable-next-line unbound-method -- called by apply; the program may change the prototype.
  const { join } = Array.prototype;
  const { apply } = Reflect;
  /** No id is longer. */
  const MAX_NAME = 200;
  let queue = [];
  let queueSize = 0;
  let count = 0;

  function sent(arg, where) {
    state.isSending = true;
    try {
      return plain(arg, where);
    } finally {
      state.isSending = false;
    }
  }

  /** Refuses a value that JSON would turn into null, because it is a mistake. */
  function known(arg, where) {
    state.blank = undefined;
    const made = sent(arg, where);
    if (state.blank === undefined) return made;
    throw new TypeError(`${state.blank}, which cannot be sent. Check how it is computed.`);
  }

  function encoded(args, name) {
    const whole = args.map((arg, index) => {
      // Converts a capability to its id, as in `waybill.signature(issue.list)`.
      if (groups.has(arg)) return groups.get(arg);
      return known(arg, index === 0 ? `The first argument of ${name}` : "The input") ?? null;
    });
    const line = stringify(whole);
    const { inputBytes, roundBytes } = state.limits;
    if (line.length > inputBytes) {
      const message = `The input of ${name} has ${line.length} characters, but the limit is ${inputBytes}. Pass less`;
      throw state.stop({ limit: "input", message });
    }
    if (queueSize + line.length > roundBytes) {
      const message = `The inputs of calls that are made without await have more than ${roundBytes} characters. Await some of them first`;
      throw state.stop({ limit: "input", message });
    }
    return line;
  }

  function notAwaited(name, key) {
    const use = typeof key === "string" ? `.${key}` : "";
    return new TypeError(
      `${name}(…) returns a promise. Put await before it: (await ${name}(…))${use}`,
    );
  }

  /**
   * The prototype of the promises of all calls. It throws a helpful error if a member of the result
   * is read without `await`.
   */
  const guard = new GuestProxy(create(promisePrototype), {
    get(target, key, receiver) {
      const isIterated = key === iterator || key === asyncIterator;
      const isOpen = typeof key === "symbol" || key in promisePrototype || key === "toJSON";
      if (isOpen && !isIterated) return reflectGet(target, key, receiver);
      throw notAwaited(names.get(receiver) ?? "A call", key);
    },
  });

  function call(name, args) {
    // A stopped program waits for ever, so that its turn ends.
    if (state.status === "stopped") return new GuestPromise(() => {});
    if (name.length > MAX_NAME) {
      const hint = "Find the id with waybill.search(words).";
      throw new TypeError(`The capability name is longer than ${MAX_NAME} characters. ${hint}`);
    }
    count += 1;
    const { calls } = state.limits;
    if (count > calls) {
      throw state.stop({ limit: "calls", message: `The program made more than ${calls} calls` });
    }
    const number = count;
    const entry = { site: new GuestError("") };
    const line = `{"n":${number},"name":${stringify(name)},"args":${encoded(args, name)}}`;
    queue[queue.length] = line;
    queueSize += line.length;
    const promise = new GuestPromise((resolve, reject) => {
      entry.resolve = resolve;
      entry.reject = reject;
    });
    waiting.set(number, entry);
    names.set(promise, name);
    setPrototypeOf(promise, guard);
    return promise;
  }

  function failed({ n, error: { message, ...facts } }, { site }) {
    const error = new GuestError(message);
    error.name = facts.code;
    error.stack = site.stack;
    for (const key of ["code", "outcome", "retryable", "details"]) {
      if (facts[key] !== undefined) defineProperty(error, key, enumerable(facts[key]));
    }
    defineProperty(error, "callNumber", { value: n });
    return error;
  }

  function settleOne(answer) {
    const entry = waiting.get(answer.n);
    if (entry === undefined) return;
    waiting.delete(answer.n);
    if (answer.error === undefined) {
      entry.resolve(readResult(answer));
      return;
    }
    entry.reject(failed(answer, entry));
  }

  /**
   * A capability as an object, such as `issue.comments.create`: each member is another one, and all
   * can be called.
   */
  function namespace(name) {
    const members = new GuestMap();
    const group = new GuestProxy(() => {}, {
      get(_target, key) {
        if (typeof key === "symbol" || key === "then" || key === "toJSON") return undefined;
        if (!members.has(key)) members.set(key, namespace(`${name}.${key}`));
        return members.get(key);
      },
      set(_target, key) {
        throw new TypeError(`${name}.${String(key)} belongs to Waybill. Use a variable instead.`);
      },
      ownKeys() {
        throw new TypeError(`${name} cannot be listed. Use await waybill.search("${name}")`);
      },
      apply: (_target, _self, args) => call(name, args),
    });
    groups.set(group, name);
    return group;
  }

  function takeCalls() {
    const taken = apply(join, queue, [","]);
    queue = [];
    queueSize = 0;
    return taken;
  }

  return { namespace, settleOne, takeCalls, openCalls: () => waiting.size };
}
