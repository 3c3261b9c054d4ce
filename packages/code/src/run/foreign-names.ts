/** Names that models know from elsewhere, and what takes their place here. */
export const FOREIGN_NAMES: Readonly<Record<string, string>> = {
  fetch: "Programs have no network. Call a capability, such as issue.list(…).",
  XMLHttpRequest: "Programs have no network. Call a capability, such as issue.list(…).",
  axios: "Programs have no network. Call a capability, such as issue.list(…).",
  require: "Programs have no modules: every capability is a global, such as issue.list(…).",
  module: "Programs have no modules. Return the value instead.",
  exports: "Programs have no modules. Return the value instead.",
  process: "Programs have no process. Pass values in the program's text.",
  Buffer: "Use atob and btoa for base64.",
  fs: "Programs have no files. Call a capability, such as file.view(…).",
  setTimeout: "Programs have no timers. Just await the call.",
  setInterval: "Programs have no timers. Just await the call.",
  setImmediate: "Programs have no timers. Just await the call.",
  sleep: "Programs have no timers. Just await the call.",
  print: "This is Python; use console.log(…).",
  len: "This is Python; use list.length.",
  range: "This is Python; use for (let i = 0; i < n; i++).",
  str: "This is Python; use String(value).",
  None: "This is Python; use null.",
  True: "This is Python; use true.",
  False: "This is Python; use false.",
  tools: "Every capability is a global: issue.list(…), not tools.issue.list(…).",
  octokit: "Every capability is a global: issue.list(…), not octokit.…",
  github: "Every capability is a global: issue.list(…), not github.issue.list(…).",
  gh: "Every capability is a global: issue.list(…), not gh.…",
  structuredClone: "Use JSON.parse(JSON.stringify(value)).",
  TextEncoder: "Use atob and btoa for base64.",
  URL: "Take the address apart with a regular expression.",
  window: "Use globalThis.",
  document: "There is no page here.",
};

/** The globals of JavaScript in the sandbox. */
export const BUILT_IN_NAMES: ReadonlySet<string> = new Set(
  `Object Function Error EvalError RangeError ReferenceError SyntaxError TypeError URIError
  InternalError AggregateError SuppressedError Iterator Array parseInt parseFloat isNaN isFinite
  queueMicrotask decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape Infinity
  NaN undefined eval Number Boolean String Math Reflect Symbol DisposableStack globalThis BigInt Date
  RegExp JSON Proxy Map Set WeakMap WeakSet ArrayBuffer Uint8ClampedArray Int8Array Uint8Array
  Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array
  Float64Array DataView Promise AsyncDisposableStack DOMException btoa atob console waybill arguments
  input`.split(/\s+/),
);
