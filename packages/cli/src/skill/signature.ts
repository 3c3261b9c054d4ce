import { isRecord } from "@waybill/core/schema";
import type { OperationSpec } from "@waybill/core";
import { describeInput } from "./describe-input.ts";

/** How to call a capability. Leaves out the inputs that all capabilities of the same kind share. */
export interface Signature {
  readonly id: string;
  /** Whether the capability has the input `repo`. */
  readonly hasRepository: boolean;
  /** Whether the capability has the input `number`. */
  readonly hasNumber: boolean;
  /** The other inputs; `?` marks optional ones, `|` separates alternatives. */
  readonly inputs: readonly string[];
}

type Names = readonly string[];
type Members = Readonly<Record<string, unknown>>;

const REPOSITORY: Names = ["owner", "name"];
/** Paging inputs. The skill explains them once, and each answer with more pages repeats them. */
const PAGING: Names = ["first", "after"];

/**
 * Inputs that are left out, because they are rarely needed or other capabilities cover them.
 * `explain` and errors list them.
 */
const ELSEWHERE: Names = [
  "addAssignees",
  "addLabels",
  "comment",
  "hasProjects",
  "hasWiki",
  "maintainerCanModify",
  "removeAssignees",
  "removeLabels",
  "stateReason",
];

/**
 * Allowed values are left out of the signature: most can be guessed, and the error for a wrong
 * value lists them.
 */
const NO_VALUES = { own: 0, items: 0 };

function isSaid(name: string): boolean {
  return !ELSEWHERE.includes(name);
}

function requiredNames(value: unknown): Names {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/**
 * The additional required inputs of each alternative (form) of a schema, for every keyword that
 * lists alternatives.
 */
function formsIn(schema: Members): readonly (readonly Names[])[] {
  return ["anyOf", "oneOf"].map((keyword) => {
    const forms: unknown = schema[keyword];
    return (Array.isArray(forms) ? forms.filter(isRecord) : [])
      .map((form) => requiredNames(form["required"]))
      .filter(({ length }) => length > 0);
  });
}

function isChoice(forms: readonly Names[]): boolean {
  return forms.length > 1 && forms.every(({ length }) => length === 1);
}

/** Returns the alternative with the fewest inputs besides repository and number. */
function shortest(ways: readonly Names[], numbers: Names): Names {
  const common = [...REPOSITORY, ...numbers];
  const own = (way: Names): number => way.filter((name) => !common.includes(name)).length;
  return ways.toSorted((a, b) => own(a) - own(b))[0] ?? [];
}

/** The inputs of which exactly one is required. */
function choiceIn(schema: Members, names: Names, required: ReadonlySet<string>): Names {
  const listed = formsIn(schema).filter(isChoice).flat(2);
  if (listed.length > 0) return [...new Set(listed)];
  const needsMore = Number(schema["minProperties"] ?? 0) > required.size;
  return needsMore ? names.filter((name) => !required.has(name)) : [];
}

interface Needs {
  readonly required: ReadonlySet<string>;
  readonly choice: Names;
  /** Inputs that only another alternative of the schema requires. */
  readonly others: Names;
}

function getNeeds(schema: Members, names: Names, numbers: Names): Needs {
  const ways = formsIn(schema)
    .filter((forms) => !isChoice(forms))
    .flat();
  const required = new Set([...requiredNames(schema["required"]), ...shortest(ways, numbers)]);
  const others = ways.flat().filter((name) => !required.has(name));
  return { required, others, choice: choiceIn(schema, names, required) };
}

/** Required inputs first, optional ones last. */
function describeInputs(properties: Members, unsaid: ReadonlySet<string>, needs: Needs): string[] {
  const { required, choice } = needs;
  const said = Object.entries(properties).filter(([name]) => !unsaid.has(name));
  const describe = (isRequired: boolean): string[] =>
    said
      .filter(([name]) => required.has(name) === isRequired)
      .map(([name, member]) => describeInput(name, member, isRequired, NO_VALUES));
  return [
    ...describe(true),
    ...(choice.length === 0 ? [] : [choice.filter(isSaid).join("|")]),
    ...describe(false),
  ];
}

/** The signature of a capability; `numbers` are the inputs that may be given as `number`. */
export function getSignature({ id, inputSchema }: OperationSpec, numbers: Names): Signature {
  const schema: Members = isRecord(inputSchema) ? inputSchema : {};
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const needs = getNeeds(schema, Object.keys(properties), numbers);
  const hasRepository = REPOSITORY.every((name) => needs.required.has(name));
  const number = numbers.find((name) => needs.required.has(name));
  const unsaid = new Set([
    ...PAGING,
    ...(hasRepository ? REPOSITORY : []),
    ...(number === undefined ? [] : [number]),
    ...needs.others,
    ...needs.choice,
    ...ELSEWHERE,
  ]);
  const inputs = describeInputs(properties, unsaid, needs);
  return { id, hasRepository, hasNumber: number !== undefined, inputs };
}
