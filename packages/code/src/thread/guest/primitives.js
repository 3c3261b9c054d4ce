// @ts-nocheck This text runs inside the sandbox, where a value can be anything. The tests run it there.

/**
 * Strings, numbers and booleans that report unknown members. `issue.author.login` would otherwise
 * be undefined without an error, because the author is a string already.
 */
export function guardPrimitives() {
  const { create, prototype: objectPrototype } = Object;
  const { get: reflectGet, setPrototypeOf } = Reflect;
  const { stringify } = JSON;
  const text = String;
  const GuestProxy = Proxy;
  const MAX_SHOWN = 40;

  function noMember(what, key, value) {
    const whole = typeof value === "object" ? "" : ` ${stringify(value)}`;
    const shown =
      whole.length > MAX_SHOWN ? ` ${stringify(text(value).slice(0, MAX_SHOWN))}…` : whole;
    return new TypeError(`A ${what} has no member "${key}". Use the ${what}${shown} itself.`);
  }

  function guard(prototype, what) {
    const guarded = new GuestProxy(create(objectPrototype), {
      get(target, key, receiver) {
        const isOpen = typeof key === "symbol" || key === "then" || key === "toJSON";
        const isIndex = typeof key === "string" && /^-?\d+$/.test(key);
        if (isOpen || isIndex || key in objectPrototype) return reflectGet(target, key, receiver);
        throw noMember(what, key, receiver);
      },
    });
    setPrototypeOf(prototype, guarded);
  }

  guard(String.prototype, "string");
  guard(Number.prototype, "number");
  guard(Boolean.prototype, "boolean");
}
