const BINARY = new Set(["ArrayBuffer", "SharedArrayBuffer"]);
const BOXED = new Set(["Number", "String", "Boolean", "BigInt", "Symbol"]);
/** Built-in types whose enumerable members do not show their content. */
const OPAQUE = new Set([
  "Map",
  "Set",
  "WeakMap",
  "WeakSet",
  "WeakRef",
  "Promise",
  "Error",
  "RegExp",
]);

/** The built-in type of a value, also from another realm. `Object` for an instance of a class. */
export function builtInKind(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

export function isBinary(value: object, kind: string): boolean {
  return ArrayBuffer.isView(value) || BINARY.has(kind);
}

export function isBoxed(kind: string): boolean {
  return BOXED.has(kind);
}

/** Whether a value would be written as `{}` although it has content. */
export function isOpaque(value: object, kind: string): boolean {
  return OPAQUE.has(kind) || (kind !== "Object" && Object.keys(value).length === 0);
}
