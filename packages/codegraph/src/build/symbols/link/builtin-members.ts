import type { Language } from "../../../graph/index.ts";

/** The names of members that a value of a built-in type has. */
export function isBuiltinMember(language: Language, type: string, name: string): boolean {
  switch (language) {
    case "python":
      return name.startsWith("__") || (PYTHON[type] ?? PYTHON["literal"]!).has(name);
    case "go":
      return GO.has(name);
    default:
      return scriptMembers(type).has(name);
  }
}

/** In Go, `error` is the only type with a method that a file can use without an import. */
const GO: ReadonlySet<string> = new Set(["Error"]);

const PLAIN = [String, Number, Boolean, BigInt, RegExp, Symbol];
/** Members that are newer than some supported versions of Node. */
const NEWER =
  "with toSpliced union intersection difference symmetricDifference isSubsetOf withResolvers try";
const known = new Map<string, ReadonlySet<string>>();

function scriptMembers(type: string): ReadonlySet<string> {
  let names = known.get(type);
  if (!names) known.set(type, (names = builtinTypeMembers(type)));
  return names;
}

/** Reads the names from the runtime: `Map` has those of its prototype, `MapConstructor` its own. */
function builtinTypeMembers(type: string): ReadonlySet<string> {
  const owner = (globalThis as Record<string, unknown>)[type.replace(/Constructor$/, "")];
  if (typeof owner !== "function") return namesIn(PLAIN.map(({ prototype }) => prototype));
  return namesIn([type.endsWith("Constructor") ? owner : owner.prototype]);
}

function namesIn(owners: readonly unknown[]): ReadonlySet<string> {
  const all = [Object.prototype, ...owners].flatMap((owner) => Object.getOwnPropertyNames(owner));
  return new Set([...all, ...NEWER.split(" ")]);
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The member names by built-in type. A literal is a string, number or file. */
const PYTHON: Readonly<Record<string, ReadonlySet<string>>> = {
  literal: words(`
    capitalize casefold center count encode decode endswith expandtabs find format format_map index
    isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace
    istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace
    rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title
    translate upper zfill fromhex hex as_integer_ratio bit_count bit_length conjugate denominator
    from_bytes imag numerator real to_bytes is_integer append extend insert pop remove reverse clear
    copy tobytes tolist release cast nbytes readonly start stop step
    read readline readlines write writelines close closed flush seek tell truncate fileno isatty
    buffer encoding errors newlines name mode detach readable writable seekable`),
  Array: words(`
    append clear copy count extend index insert pop remove reverse sort add difference
    difference_update discard intersection intersection_update isdisjoint issubset issuperset
    symmetric_difference symmetric_difference_update union update
    send throw close asend athrow aclose gi_frame gi_running gi_code gi_yieldfrom`),
  PyDict: words("clear copy fromkeys get items keys pop popitem setdefault update values"),
};
