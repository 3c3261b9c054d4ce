import type { Signature } from "./signature.ts";

interface Verb {
  readonly parent: string;
  readonly name: string;
  readonly inputs: string;
}

function getVerb({ id, inputs }: Signature): Verb {
  const path = id.slice(id.indexOf(".") + 1);
  const dot = path.lastIndexOf(".") + 1;
  const given = inputs.length === 0 ? "" : `(${inputs.join(",")})`;
  return { parent: path.slice(0, dot), name: path.slice(dot), inputs: given };
}

/** Verbs with the same inputs share a line: `labels.add/remove/set(labels[])`. */
function mergedVerbs(verbs: readonly Verb[]): string[] {
  const byForm = new Map<string, Verb[]>();
  for (const verb of verbs) {
    const form = `${verb.parent} ${verb.inputs}`;
    byForm.set(form, [...(byForm.get(form) ?? []), verb]);
  }
  return [...byForm.values()].map((same) => {
    const { parent, inputs } = same[0]!;
    return `${parent}${same.map(({ name }) => name).join("/")}${inputs}`;
  });
}

function getDomain({ id }: Signature): string {
  return id.slice(0, id.indexOf("."));
}

/** One line for each kind of thing, and one for the actions on a single numbered thing. */
export function signatureLines(signatures: readonly Signature[]): string[] {
  const lines = new Map<string, Signature[]>();
  for (const signature of signatures) {
    const head = `${getDomain(signature)}${signature.hasNumber ? "#" : ""}`;
    lines.set(head, [...(lines.get(head) ?? []), signature]);
  }
  return [...lines].map(([head, each]) => `${head}: ${mergedVerbs(each.map(getVerb)).join(" ")}`);
}
