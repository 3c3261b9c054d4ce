import { isInputObject } from "../input.ts";

/** The part of OpenAPI 3.0 that GitHub's request bodies use. */
export interface BodySchema {
  readonly type?: string | readonly string[];
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | BodySchema;
  readonly maxProperties?: number;
  readonly items?: BodySchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly oneOf?: readonly BodySchema[];
  readonly anyOf?: readonly BodySchema[];
}

/** How deep to check. No request body in GitHub's description is nested deeper. */
const MAX_DEPTH = 12;

/**
 * The mistakes in a value, worded like GitHub's own validator; an empty list means valid. `place`
 * is GitHub's name for the part: `properties/title`, `items`, or `links/0/schema` for the whole.
 */
export function bodyProblems(
  schema: BodySchema,
  value: unknown,
  place = "links/0/schema",
  depth = 0,
): string[] {
  if (depth > MAX_DEPTH || (value === null && schema.nullable === true)) return [];
  const wrongType = typeProblem(schema, value, place);
  if (wrongType !== undefined) return [wrongType];
  return [
    ...enumProblems(schema, value, place),
    ...formatProblems(schema, value, place),
    ...alternativeProblems(schema, value, place, depth),
    ...(isInputObject(value) ? objectProblems(schema, value, place, depth) : []),
    ...(Array.isArray(value) ? arrayProblems(schema, value, place, depth) : []),
  ];
}

const ARTICLES: Readonly<Record<string, string>> = { array: "an", integer: "an", object: "an" };

function isOfType(type: string, value: unknown): boolean {
  if (type === "object") return isInputObject(value);
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function typeProblem({ type }: BodySchema, value: unknown, place: string): string | undefined {
  const types = type === undefined ? [] : [type].flat();
  if (types.length === 0 || types.some((one) => isOfType(one, value))) return undefined;
  const wanted = types.map((one) => `${ARTICLES[one] ?? "a"} ${one}`).join(" or ");
  return `For '${place}', ${inspect(value)} is not ${wanted}.`;
}

/** Prints a value as Ruby does, because GitHub's validator is written in Ruby. */
function inspect(value: unknown): string {
  if (value === null || value === undefined) return "nil";
  if (Array.isArray(value)) return `[${value.map(inspect).join(", ")}]`;
  if (!isInputObject(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, one]) => `${inspect(key)}=>${inspect(one)}`);
  return `{${pairs.join(", ")}}`;
}

function enumProblems({ enum: allowed }: BodySchema, value: unknown, place: string): string[] {
  if (allowed === undefined || allowed.includes(value)) return [];
  return [`For '${place}', ${inspect(value)} is not a member of ${inspect(allowed)}.`];
}

function formatProblems({ format }: BodySchema, value: unknown, place: string): string[] {
  if (format !== "date-time" || typeof value !== "string") return [];
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value));
  return isTime ? [] : [`For '${place}', ${inspect(value)} is not a valid date-time.`];
}

function alternativeProblems(
  { oneOf, anyOf }: BodySchema,
  value: unknown,
  place: string,
  depth: number,
): string[] {
  const [name, choices] = oneOf === undefined ? ["anyOf", anyOf] : ["oneOf", oneOf];
  if (choices === undefined) return [];
  const fits = choices.some((one) => bodyProblems(one, value, place, depth + 1).length === 0);
  return fits ? [] : [`For '${place}', no subschema in "${name}" matched.`];
}

function objectProblems(
  { properties = {}, required = [], additionalProperties, maxProperties }: BodySchema,
  value: Readonly<Record<string, unknown>>,
  place: string,
  depth: number,
): string[] {
  const missing = required.filter((name) => value[name] === undefined);
  const names = missing.map((name) => JSON.stringify(name)).join(", ");
  const supplied = missing.length === 1 ? "wasn't supplied." : "weren't supplied.";
  const more = typeof additionalProperties === "object" ? additionalProperties : {};
  const count = Object.keys(value).length;
  return [
    ...(missing.length === 0 ? [] : [`${names} ${supplied}`]),
    ...(maxProperties === undefined || count <= maxProperties
      ? []
      : [
          `For '${place}', no more than ${maxProperties} properties are allowed; ${count} were supplied.`,
        ]),
    ...Object.entries(value).flatMap(([name, one]) =>
      one === undefined
        ? []
        : bodyProblems(
            Object.hasOwn(properties, name) ? properties[name]! : more,
            one,
            `properties/${name}`,
            depth + 1,
          ),
    ),
  ];
}

function arrayProblems(
  { items = {}, minItems = 0, maxItems = Infinity }: BodySchema,
  value: readonly unknown[],
  place: string,
  depth: number,
): string[] {
  const few = `No fewer than ${minItems} items are allowed in ${place}.`;
  const many = `No more than ${maxItems} items are allowed in ${place}.`;
  return [
    ...(value.length < minItems ? [few] : []),
    ...(value.length > maxItems ? [many] : []),
    ...value.flatMap((one) => bodyProblems(items, one, "items", depth + 1)),
  ];
}
