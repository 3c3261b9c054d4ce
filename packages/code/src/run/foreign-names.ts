const NETWORK = "Programs have no network. Call a capability, such as issue.list(…).";
const TIMERS = "Programs have no timers. Just await the call.";
const SHELL = "Programs have no shell. Call a capability, such as issue.list(…).";
const FILES = "Programs have no files. Call a capability, such as file.view(…).";
const GLOBALS = "Every capability is a global: issue.list(…), not";

function python(instead: string): string {
  return `This is Python; use ${instead}.`;
}

/** Names that models know from other environments, with their replacements here. */
export const FOREIGN_NAMES: Readonly<Record<string, string>> = {
  fetch: NETWORK,
  XMLHttpRequest: NETWORK,
  axios: NETWORK,
  requests: NETWORK,
  require: "Programs have no modules: every capability is a global, such as issue.list(…).",
  module: "Programs have no modules. Return the value instead.",
  exports: "Programs have no modules. Return the value instead.",
  process: "Programs have no process. Pass values in the program's text.",
  os: "Programs have no process. Pass values in the program's text.",
  Buffer: "Use atob and btoa for base64.",
  fs: FILES,
  Deno: FILES,
  Bun: FILES,
  open: FILES,
  setTimeout: TIMERS,
  setInterval: TIMERS,
  setImmediate: TIMERS,
  sleep: TIMERS,
  time: TIMERS,
  $: SHELL,
  exec: SHELL,
  execSync: SHELL,
  spawn: SHELL,
  subprocess: SHELL,
  print: python("console.log(…)"),
  len: python("list.length"),
  range: python("for (let i = 0; i < n; i++)"),
  enumerate: python("list.entries()"),
  sorted: python("list.toSorted((a, b) => a - b)"),
  sum: python("list.reduce((a, b) => a + b, 0)"),
  min: "Use Math.min(...list).",
  max: "Use Math.max(...list).",
  any: python("list.some((x) => …)"),
  all: python("list.every((x) => …)"),
  map: "Use list.map((x) => …).",
  filter: "Use list.filter((x) => …).",
  zip: python("a.map((x, i) => [x, b[i]])"),
  list: python("Array.from(…) or [...values]"),
  dict: python("an object: { … }"),
  set: python("new Set(…)"),
  int: python("Number.parseInt(text, 10)"),
  float: python("Number(text)"),
  str: python("String(value)"),
  isinstance: python("typeof or instanceof"),
  json: python("JSON.parse(…) and JSON.stringify(…)"),
  re: python("a regular expression: /…/.exec(text)"),
  datetime: python("new Date()"),
  None: python("null"),
  True: python("true"),
  False: python("false"),
  tools: `${GLOBALS} tools.issue.list(…).`,
  mcp: `${GLOBALS} mcp.issue.list(…).`,
  octokit: `${GLOBALS} octokit.…`,
  github: `${GLOBALS} github.issue.list(…).`,
  gh: `${GLOBALS} gh.…`,
  Intl: "Write numbers with toFixed(2), and times with toISOString(), which are in UTC.",
  call: 'Use waybill.call("issue.list", …), or its name: issue.list(…).',
  execute: 'Use waybill.call("issue.list", …), or its name: issue.list(…).',
  callTool: 'Call it by its name: issue.list(…), or waybill.call("issue.list", …).',
  call_tool: 'Call it by its name: issue.list(…), or waybill.call("issue.list", …).',
  _: "Use the methods of arrays, such as Object.groupBy(list, (x) => …).",
  lodash: "Use the methods of arrays, such as Object.groupBy(list, (x) => …).",
  moment: "Use new Date(…).",
  dayjs: "Use new Date(…).",
  crypto: "Use Math.random(), which repeats with the run's key.",
  assert: "Use if (…) throw new Error(…).",
  structuredClone: "Use JSON.parse(JSON.stringify(value)).",
  TextEncoder: "Use atob and btoa for base64.",
  URL: "Parse the address with a regular expression.",
  URLSearchParams: "Parse the address with a regular expression.",
  window: "Use globalThis.",
  document: "Programs do not run in a browser.",
};

/** Methods that models know from other languages, with the JavaScript for them. */
export const FOREIGN_METHODS: ReadonlyMap<string, string> = new Map([
  ["append", "push(…)"],
  ["extend", "push(...list)"],
  ["get", "value[key]"],
  ["items", "Object.entries(value)"],
  ["has_key", "key in value"],
  ["strip", "trim()"],
  ["lstrip", "trimStart()"],
  ["rstrip", "trimEnd()"],
  ["lower", "toLowerCase()"],
  ["upper", "toUpperCase()"],
  ["startswith", "startsWith(…)"],
  ["endswith", "endsWith(…)"],
  ["contains", "includes(…)"],
  ["format", "`text ${value}`"],
  ["size", "length"],
  ["count", "length"],
  ["len", "length"],
  ["flatten", "flat()"],
  ["unique", "[...new Set(list)]"],
  ["uniq", "[...new Set(list)]"],
  ["first", "list[0]"],
  ["last", "list.at(-1)"],
  ["sort_by", "toSorted((a, b) => …)"],
  ["group_by", "Object.groupBy(list, (x) => …)"],
  ["groupBy", "Object.groupBy(list, (x) => …)"],
  ["sum", "reduce((a, b) => a + b, 0)"],
  ["isdigit", "/^\\d+$/.test(text)"],
]);

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
