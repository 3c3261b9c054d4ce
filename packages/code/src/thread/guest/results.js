// @ts-nocheck This text runs inside the sandbox, where a value can be anything. The tests run it there.

/**
 * Results that report unknown members. The check is in the prototype, so existing members are read
 * at full speed.
 */
export function guestResults({ nearest }, { pendingValue }) {
  const { isArray, prototype: arrayPrototype } = Array;
  const { create, defineProperty, hasOwn, keys, prototype: objectPrototype } = Object;
  const { get: reflectGet, setPrototypeOf } = Reflect;
  const { iterator, toPrimitive } = Symbol;
  const GuestProxy = Proxy;
  const MAX_NAMES = 24;
  const guards = new Map();
  const shapes = create(null);

  function noMember(id, key, known) {
    const near = nearest(key, known);
    const list = known.slice(0, MAX_NAMES).join(", ") + (known.length > MAX_NAMES ? ", …" : "");
    const meant = near === undefined ? "" : ` Did you mean "${near}"?`;
    return new TypeError(`"${key}" is not a member of what ${id} returns.${meant} It has ${list}.`);
  }

  function notOfArray(id, key, { items: item = null, extras = [] }) {
    const what = `${id} returns an array, and "${key}" is not a member of an array.`;
    const near = nearest(key, extras);
    if (near !== undefined) return new TypeError(`${what} Did you mean "${near}"?`);
    const isOfItems = item !== null && hasOwn(item, "props") && hasOwn(item.props, key);
    const instead = isOfItems
      ? `.map((x) => x.${key})`
      : "the array itself, or an item such as [0]";
    return new TypeError(`${what} Use ${instead}.`);
  }

  function notAList(id, known) {
    const list = known.slice(0, MAX_NAMES).join(", ");
    return new TypeError(`${id} returns one object, not a list. It has ${list}.`);
  }

  /** `[object Object]` in a string is always a mistake. */
  function notAText(id, known) {
    const list = known.slice(0, MAX_NAMES).join(", ");
    const what = `${id} returns an object, not a string. Use a member of it: ${list}.`;
    return new TypeError(`${what} JSON.stringify(…) writes all of it.`);
  }

  function refusal(id, key, known) {
    if (key === toPrimitive) return notAText(id, known);
    return key === iterator ? notAList(id, known) : noMember(id, key, known);
  }

  function isOtherSymbol(key) {
    return typeof key === "symbol" && key !== iterator && key !== toPrimitive;
  }

  function guardOn(prototype, isKnown, refuse, names = {}) {
    return new GuestProxy(create(prototype), {
      get(target, key, receiver) {
        const isOpen = key === "then" || key === "toJSON" || isOtherSymbol(key);
        if (isOpen || key in prototype || isKnown(key)) return reflectGet(target, key, receiver);
        if (hasOwn(names, key)) return receiver[names[key]];
        throw refuse(key);
      },
    });
  }

  /** A declared member of the result that this answer does not have. */
  function isOther({ extras = [] }, key) {
    return extras.some((name) => name === key);
  }

  function guardFor(shape, id) {
    let guard = guards.get(shape);
    if (guard === undefined) {
      guard = hasOwn(shape, "items")
        ? guardOn(
            arrayPrototype,
            (key) => key === toPrimitive || /^-?\d+$/.test(key) || isOther(shape, key),
            (key) => notOfArray(id, key, shape),
          )
        : guardOn(
            objectPrototype,
            (key) => hasOwn(shape.props, key),
            (key) => refusal(id, key, keys(shape.props)),
            shape.names,
          );
      guards.set(shape, guard);
    }
    return guard;
  }

  /** Gives every object and array of a result the prototype that refuses undeclared members. */
  function guarded(data, shape, id) {
    const isObject = data !== null && typeof data === "object";
    if (!isObject || shape === null || shape === undefined) return data;
    if (isArray(data) !== hasOwn(shape, "items")) return data;
    if (isArray(data)) for (const item of data) guarded(item, shape.items, id);
    else {
      for (const key of keys(data)) {
        if (hasOwn(shape.props, key)) guarded(data[key], shape.props[key], id);
      }
    }
    setPrototypeOf(data, guardFor(shape, id));
    return data;
  }

  /** Other members of a list's result, such as totalCount, become members of the array. */
  function toList({ id, data, extras = {} }, shape) {
    const item = shape?.item ?? null;
    shape.list ??= { items: item, extras: [...keys(extras), ...(shape.others ?? [])] };
    const list = guarded(data, shape.list, id);
    for (const key of keys(extras)) {
      defineProperty(list, key, { value: extras[key], enumerable: false, writable: true });
    }
    return list;
  }

  function readResult(answer) {
    const { id, form, data } = answer;
    const shape = shapes[id] ?? {};
    if (answer.pending === true) return pendingValue(id);
    if (form === "list") return toList(answer, shape);
    if (form === "page") {
      data.items = toList({ id, data: data.items }, shape);
      shape.page ??= { props: { items: null, cursor: null } };
      return setPrototypeOf(data, guardFor(shape.page, `${id}.page`)) && data;
    }
    if (form === "result") {
      guarded(data.data, shape.data, id);
      shape.result ??= { props: { ok: null, data: null, error: null, meta: null } };
      return setPrototypeOf(data, guardFor(shape.result, `${id}.result`)) && data;
    }
    return guarded(data, shape.data, id);
  }

  function learn(given) {
    for (const id of keys(given)) shapes[id] = given[id];
  }

  return { learn, readResult };
}
