interface Parameters {
  /** How many arguments a call must have. */
  readonly required: number;
  readonly most: number;
}

/** Whether a method can be called wherever another one can, judged by the number of arguments. */
export function canReplace(wanted: string, own: string): boolean {
  const [asked, given] = [readParameters(wanted), readParameters(own)];
  if (!asked || !given) return true;
  return given.required <= asked.required && given.most >= Math.min(asked.most, MANY);
}

const MANY = 1_000;

/** The parameters of `def name(self, …)`; undefined for anything but a function. */
function readParameters(detail: string): Parameters | undefined {
  const start = /^(?:async\s+)?def\s+\w+\s*(?:\[[^\]]*\])?\(/u.exec(detail)?.[0];
  if (start === undefined) return undefined;
  const parts = splitParameters(detail.slice(start.length));
  if (!parts) return undefined;
  let [required, most] = [0, 0];
  for (const text of parts) {
    if (text === "*" || text === "/") continue;
    if (text.startsWith("*")) most = MANY;
    else {
      most += 1;
      if (!text.includes("=")) required += 1;
    }
  }
  return { required, most: Math.min(most, MANY) };
}

/** The parts of a list up to its closing bracket; undefined if the text is cut before it. */
function splitParameters(text: string): string[] | undefined {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if ("([{".includes(char)) depth += 1;
    if (")]}".includes(char)) depth -= 1;
    if (depth > 0 || (char !== "," && depth === 0)) continue;
    parts.push(text.slice(start, at).trim());
    start = at + 1;
    if (depth < 0) return parts.filter((part) => part !== "");
  }
  return undefined;
}
