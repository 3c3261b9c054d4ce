// @ts-nocheck This text runs inside the sandbox, where a value can be anything. The tests run it there.

/** Values that leave the sandbox, and placeholders for results that are not known yet. */
export function guestValues(state) {
  const { isArray } = Array;
  const { defineProperty, keys } = Object;
  const GuestDate = Date;
  const GuestError = Error;
  const GuestMap = Map;
  const GuestPromise = Promise;
  const GuestProxy = Proxy;
  const GuestSet = Set;
  const { isFinite } = Number;
  const { asyncIterator, iterator } = Symbol;
  const MAX_DEPTH = 200;
  const MAX_WAITED = 4;
  /** The placeholders, with the function that ends the run when one is read. */
  const pendingValues = new WeakMap();
  /** The names of `issue`, `issue.list` and other capability objects. */
  const groups = new WeakMap();

  const isPromise = (value) => value instanceof GuestPromise;

  function enumerable(value) {
    return { value, enumerable: true, writable: true, configurable: true };
  }

  function unfit(where, what, instead) {
    return new TypeError(`${where === "" ? "The value" : where} is ${what}. ${instead}`);
  }

  /** Stands for the result of a write that was not sent. Reading it ends the run. */
  function pendingValue(id) {
    const read = (what) => {
      const message = `The program reads${what} the result of ${id}, which has not been sent yet`;
      throw state.stop({ pending: id, message });
    };
    const value = new GuestProxy(function pending() {}, {
      get(_target, key) {
        if (key === "then") return undefined;
        if (key === "toJSON") return () => `(result of ${id}, not sent yet)`;
        return read(typeof key === "symbol" ? "" : ` "${key}" of`);
      },
      has: () => read(" the members of"),
      ownKeys: () => read(" the members of"),
      getOwnPropertyDescriptor: () => read(" the members of"),
      apply: () => read(" and calls"),
    });
    pendingValues.set(value, read);
    return value;
  }

  function plainObject(value, where, above) {
    const copy = {};
    for (const key of keys(value)) {
      const given = value[key];
      const member = isPlain(given)
        ? given
        : plain(given, where === "" ? key : `${where}.${key}`, above);
      if (member === undefined) continue;
      // Assigning is faster, but sets the prototype with this name.
      if (key === "__proto__") defineProperty(copy, key, enumerable(member));
      else copy[key] = member;
    }
    return copy;
  }

  function plainMap(value, where, above) {
    const copy = {};
    for (const [key, member] of value) {
      if (typeof key === "object" && key !== null) {
        throw unfit(where, "a Map with objects as keys", "Use [...map] to get its entries.");
      }
      defineProperty(copy, `${key}`, enumerable(plain(member, `${where}.${key}`, above)));
    }
    return copy;
  }

  function isPlain(value) {
    return typeof value === "string" || typeof value === "boolean" || isFinite(value);
  }

  /** JSON writes null for a value that it cannot express. The first such path is remembered. */
  function blank(value, where) {
    state.blank ??= `${where === "" ? "The value" : where} is ${value}`;
    return null;
  }

  function plainItem(item, where, above) {
    return item === undefined ? blank(item, where) : plain(item, where, above);
  }

  /** Such as `map.keys()`, or what a generator returns. Its values cannot be seen as members. */
  function isIterator(value) {
    return (iterator in value || asyncIterator in value) && typeof value.next === "function";
  }

  function plainInner(value, where, inner, isMade) {
    // As in JSON.stringify, toJSON is not called on its own result.
    if (value instanceof GuestDate && !isFinite(+value)) return blank("an invalid date", where);
    if (!isMade && typeof value.toJSON === "function") {
      return plain(value.toJSON(), where, inner, true);
    }
    if (isArray(value)) {
      return [...value].map((item, index) => {
        // Most items of long lists are plain already, and building a path costs more than this
        // check.
        return isPlain(item) ? item : plainItem(item, `${where}[${index}]`, inner);
      });
    }
    if (value instanceof GuestMap) return plainMap(value, where, inner);
    if (value instanceof GuestSet) return plain([...value], where, inner);
    if (value instanceof GuestError) return { code: value.code, message: value.message };
    if (isIterator(value)) {
      throw unfit(where, "an iterator, which has no members", "Use [...values] to get a list.");
    }
    return plainObject(value, where, inner);
  }

  /** Copies a value as JSON would. Values that JSON cannot express are refused, with their path. */
  function plain(value, where, above = [], isMade = false) {
    const type = typeof value;
    if (type === "string" || type === "boolean" || type === "undefined") return value;
    if (type === "number") return isFinite(value) ? value : blank(value, where);
    if (type === "bigint") {
      throw unfit(where, "a BigInt, which JSON cannot hold", "Use Number(…) or String(…).");
    }
    if (type === "symbol") throw unfit(where, "a symbol", "Use a string.");
    if (value === null) return null;
    if (pendingValues.has(value)) {
      // A result that is not known yet can be shown, but not sent.
      return state.isSending ? pendingValues.get(value)("") : value.toJSON();
    }
    if (groups.has(value)) {
      const name = groups.get(value);
      const next = `Call a capability, or find one with waybill.search("${name}").`;
      throw unfit(where, `the name ${name}`, next);
    }
    if (type === "function") throw unfit(where, "a function", "Call it, or leave it out.");
    if (isPromise(value)) throw unfit(where, "a promise", "Put await before it.");
    if (above.includes(value)) {
      throw unfit(where, "part of itself", "Return only the members you need.");
    }
    if (above.length > MAX_DEPTH) {
      throw unfit(where.slice(0, 80), `nested deeper than ${MAX_DEPTH} levels`, "Flatten it.");
    }
    return plainInner(value, where, [...above, value], isMade);
  }

  function hasPromise(value, depth) {
    if (value === null || typeof value !== "object" || depth > MAX_WAITED) return false;
    if (isPromise(value)) return true;
    const members = isArray(value) ? value : keys(value).map((key) => value[key]);
    return members.some((member) => hasPromise(member, depth + 1));
  }

  /** Waits for promises in what a program returns, such as those of `items.map(async …)`. */
  async function settled(value, depth = 0) {
    const known = isPromise(value) ? await value : value;
    if (!hasPromise(known, depth)) return known;
    if (isArray(known)) {
      const list = [];
      for (const item of known) list.push(await settled(item, depth + 1));
      return list;
    }
    const copy = {};
    for (const key of keys(known)) {
      defineProperty(copy, key, enumerable(await settled(known[key], depth + 1)));
    }
    return copy;
  }

  /** A value as text for the log. */
  function shown(value) {
    try {
      const isText = typeof value === "string" || typeof value === "number";
      return isText ? `${value}` : (JSON.stringify(plain(value, "")) ?? `${value}`);
    } catch (error) {
      if (state.status === "stopped") throw error;
      return `[${error.message}]`;
    }
  }

  return { enumerable, groups, pendingValue, plain, settled, shown };
}
