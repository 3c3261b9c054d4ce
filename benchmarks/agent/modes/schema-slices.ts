import {
  TypeInfo,
  getNamedType,
  isEnumType,
  isInputObjectType,
  parse,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { FieldNode } from "graphql";
import { fieldText, githubSchema, typeText } from "./github-schema.ts";

/** How much of a type is read to use one of its fields: the whole definition, or only the field. */
export type Reading = "types" | "fields";

/** Almost everything is reached through this type, so an agent that reads types reads it first. */
export const START = "Repository";

const ROOTS = new Set(["Query", "Mutation"]);

/**
 * A field without arguments and selection. Its name counts as known in every mode, so it is not
 * looked up.
 */
function isPlain({ arguments: passed, selectionSet }: FieldNode): boolean {
  return selectionSet === undefined && (passed ?? []).length === 0;
}

/** The names to look up before writing a document: types, or fields as `Type.field`. */
class Wanted {
  readonly names = new Set<string>();
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  field(type: string, name: string): void {
    if (fieldText(type, name) === undefined) return;
    const isWhole = this.#reading === "types" && !ROOTS.has(type);
    this.names.add(isWhole ? type : `${type}.${name}`);
  }

  /** Adds an enum or input type that is passed as an argument. */
  passed(name: string): void {
    const type = githubSchema().getType(name);
    if (isEnumType(type) || (isInputObjectType(type) && this.#reading === "types")) {
      this.names.add(name);
    }
  }
}

function typeDefinition(name: string): string {
  const [type = "", field] = name.split(".");
  return field === undefined ? typeText(type) : (fieldText(type, field) ?? "");
}

/** The parts of GitHub's schema that an agent needs to write a document, by name. */
export function slicesFor(source: string, reading: Reading): Map<string, string> {
  const info = new TypeInfo(githubSchema());
  const wanted = new Wanted(reading);
  const pass = (): void => {
    const type = getNamedType(info.getInputType());
    if (type) wanted.passed(type.name);
  };
  visit(
    parse(source),
    visitWithTypeInfo(info, {
      Field(node) {
        const parent = info.getParentType()?.name;
        if (parent === undefined || (isPlain(node) && !ROOTS.has(parent))) return;
        wanted.field(parent, node.name.value);
      },
      Argument: pass,
      ObjectField({ name }) {
        const parent = getNamedType(info.getParentInputType());
        if (parent) wanted.field(parent.name, name.value);
        pass();
      },
    }),
  );
  return new Map([...wanted.names].map((name) => [name, typeDefinition(name)]));
}

/** The parts of the schema that the documents use and that were not read yet. */
export function unreadSlices(
  documents: readonly string[],
  reading: Reading,
  known: ReadonlySet<string> = new Set(),
): [name: string, text: string][] {
  const slices = new Map(documents.flatMap((each) => [...slicesFor(each, reading)]));
  return [...slices].filter(
    ([name]) => !known.has(name) && (name !== START || reading === "fields"),
  );
}
