/** The objects whose members are global names. */
export const GLOBAL_OBJECTS: ReadonlySet<string> = new Set([
  "globalThis",
  "window",
  "self",
  "global",
]);

const LANGUAGE =
  "Object Function Array Number parseFloat parseInt Boolean String Symbol Date Promise RegExp Error " +
  "AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError JSON Math Intl " +
  "ArrayBuffer SharedArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array " +
  "Int32Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map " +
  "Set WeakMap WeakSet WeakRef BigInt Proxy Reflect FinalizationRegistry decodeURI decodeURIComponent " +
  "encodeURI encodeURIComponent escape unescape eval isFinite isNaN Iterator arguments";

const NODE =
  "console process Buffer URL URLSearchParams TextEncoder TextDecoder AbortController AbortSignal " +
  "Event EventTarget MessageChannel MessagePort MessageEvent Blob File FormData Headers Request " +
  "Response fetch crypto performance structuredClone queueMicrotask setTimeout clearTimeout " +
  "setInterval clearInterval setImmediate clearImmediate ReadableStream WritableStream " +
  "TransformStream require module exports __dirname __filename";

const BROWSER =
  "document navigator location history screen localStorage sessionStorage indexedDB alert confirm " +
  "prompt requestAnimationFrame cancelAnimationFrame requestIdleCallback getComputedStyle matchMedia " +
  "customElements Element HTMLElement Node NodeList Image Audio FileReader XMLHttpRequest WebSocket " +
  "Worker SharedWorker MutationObserver ResizeObserver IntersectionObserver DOMParser DOMRect " +
  "DOMException CustomEvent KeyboardEvent MouseEvent PointerEvent CSS caches";

/** Global types without a value of the same name. */
const TYPES =
  "Record Partial Required Readonly Pick Omit Exclude Extract NonNullable Parameters ReturnType " +
  "InstanceType Awaited ThisType PropertyKey ReadonlyArray ReadonlyMap ReadonlySet PromiseLike " +
  "Iterable IterableIterator AsyncIterable AsyncIterator AsyncGenerator Generator ArrayLike NodeJS";

const known: ReadonlySet<string> = new Set(
  [...GLOBAL_OBJECTS, LANGUAGE, NODE, BROWSER, TYPES].flatMap((names) => names.split(" ")),
);

/** Whether an undeclared name is a built-in of the language or its runtime. */
export const isKnownGlobal = (name: string): boolean => known.has(name);
