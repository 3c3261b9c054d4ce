import type { CardCli, CardGraphql, CardRest, Mapping } from "./card.ts";
import type { MappingReader, PreparedMapping } from "./mapping/index.ts";
import { readUses } from "./mapping/index.ts";
import type { PreparedPart, PreparedRest } from "./prepared.ts";
import { pathMappings, readSegments } from "./read-path.ts";
import { readQuery } from "./read-query.ts";
import type { Reading } from "./read-query.ts";

interface Common {
  readonly when?: string;
  readonly limits?: object;
  readonly output?: Mapping;
}

/** Parses the named members that exist, each as a mapping. */
export function readMembers<Name extends string>(
  reader: MappingReader,
  part: { readonly [name in Name]?: Mapping | undefined },
  pointer: string,
  names: readonly Name[],
): { [name in Name]?: PreparedMapping } {
  const read: { [name in Name]?: PreparedMapping } = {};
  for (const name of names) {
    const mapping = part[name];
    if (mapping !== undefined) read[name] = reader.read(mapping, `${pointer}/${name}`);
  }
  return read;
}

/** The lookups that a request and its output use. The root value of the request has the params. */
export function lookupsIn(request: readonly PreparedMapping[], output?: PreparedMapping): string[] {
  const uses = [
    ...request.flatMap((mapping) => readUses(mapping, true)),
    ...(output === undefined ? [] : readUses(output, false)),
  ];
  const names = uses
    .filter((use) => use.variable === "lookup")
    .map((use) => String(use.keys[0] ?? "*"));
  return [...new Set(names)].toSorted();
}

function readCommon(
  { reader }: Reading,
  part: Common,
  pointer: string,
  request: readonly (PreparedMapping | undefined)[],
): Pick<PreparedRest, "when" | "limits" | "output" | "lookups"> {
  const read = readMembers(reader, part, pointer, ["when", "output"]);
  const asked = request.filter((mapping) => mapping !== undefined);
  return {
    ...read,
    ...(part.limits === undefined ? {} : { limits: part.limits }),
    lookups: lookupsIn(asked, read.output),
  };
}

export function readGraphql(reading: Reading, part: CardGraphql, pointer: string): PreparedPart {
  const named = { name: part.documentPath, pointer: `${pointer}/documentPath` };
  const query = readQuery(reading, named, part.variables, `${pointer}/variables`);
  const { operationName } = query.document;
  if (operationName !== "" && operationName !== part.operationName) {
    reading.reader.refuse(
      `${pointer}/operationName`,
      `must be ${operationName}, the operation of the document`,
    );
  }
  return { ...query, ...readCommon(reading, part, pointer, [query.variables]) };
}

export function readRest(reading: Reading, part: CardRest, pointer: string): PreparedPart {
  const { reader } = reading;
  const path = readSegments(reader, part.path, `${pointer}/path`);
  const read = readMembers(reader, part, pointer, ["query", "body"]);
  const headers = Object.entries(part.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  return {
    kind: "rest",
    method: part.method,
    path,
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...read,
    ...readCommon(reading, part, pointer, [...pathMappings(path), read.query, read.body]),
  };
}

export function readCli(reading: Reading, part: CardCli, pointer: string): PreparedPart {
  const version = part.min_gh_version === undefined ? {} : { minVersion: part.min_gh_version };
  if (part.use !== undefined) {
    return { kind: "use", route: part.use, ...version, ...readCommon(reading, part, pointer, []) };
  }
  const read = readMembers(reading.reader, part, pointer, ["flags", "positionals", "stdin"]);
  return {
    kind: "command",
    words: (part.command ?? "").split(" ").filter((word) => word !== ""),
    ...read,
    ...(part.jsonFields === undefined ? {} : { jsonFields: part.jsonFields }),
    ...version,
    ...readCommon(reading, part, pointer, [read.flags, read.positionals, read.stdin]),
  };
}
