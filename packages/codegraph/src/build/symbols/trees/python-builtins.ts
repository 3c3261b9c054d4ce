const FUNCTIONS =
  "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile " +
  "complex delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals " +
  "hasattr hash help hex id input int isinstance issubclass iter len list locals map max memoryview min " +
  "next object oct open ord pow print property range repr reversed round set setattr slice sorted " +
  "staticmethod str sum super tuple type vars zip __import__ NotImplemented Ellipsis True False None " +
  "__name__ __file__ __doc__ __package__ __spec__ __loader__ __path__ __debug__ __class__ __builtins__";

const EXCEPTION = /^[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Group)$/;

const functions = new Set(FUNCTIONS.split(" "));

/** Whether an undeclared name is a built-in of the language. */
export const isPythonBuiltin = (name: string): boolean =>
  functions.has(name) || EXCEPTION.test(name);

/** Functions whose result contains their arguments, and so may contain values of the tree. */
const HANDING_ON = new Set(
  "getattr next iter anext aiter map filter min max type dict vars super sum eval object".split(
    " ",
  ),
);
const LISTS = new Set(["list", "set", "tuple", "sorted", "reversed", "frozenset"]);

/** The result type of a built-in function. */
export function builtinResult(name: string): "list" | "pairs" | "element" | "plain" | "unknown" {
  if (LISTS.has(name)) return "list";
  if (name === "enumerate" || name === "zip") return "pairs";
  if (name === "next" || name === "anext") return "element";
  return HANDING_ON.has(name) ? "unknown" : "plain";
}

/** Types whose values have no members of the tree. */
export const PLAIN_TYPES: ReadonlySet<string> = new Set(
  "str int float bool bytes complex None bytearray memoryview range slice".split(" "),
);
