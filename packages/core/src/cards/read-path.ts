import type { MappingReader, PreparedMapping } from "./mapping/index.ts";
import { readTemplate } from "./mapping/index.ts";
import type { PreparedSegment } from "./prepared.ts";

const MANY = /^\{\+([^{}]+)\}$/;

function segmentProblem(segment: string): string | undefined {
  if (segment === "" || segment === "." || segment === "..")
    return 'must not have an empty segment, "." or ".."';
  if (readTemplate(segment) === undefined) return "has an unmatched brace";
  if (/[?#\s]/.test(segment.replaceAll(/\{[^{}]*\}/g, "")))
    return 'must not contain spaces, "?" or "#"; write the query under "query"';
  return undefined;
}

function readSegment(reader: MappingReader, segment: string, pointer: string): PreparedSegment {
  const problem = segmentProblem(segment);
  if (problem !== undefined) return { parts: [reader.refuse(pointer, problem)] };
  const many = MANY.exec(segment);
  if (many !== null) return { parts: [reader.expression(many[1]!, pointer)], many: true };
  const parts = readTemplate(segment) ?? [];
  return {
    parts: parts.map((part) =>
      typeof part === "string" ? part : reader.expression(part.expression, pointer),
    ),
  };
}

/** The mappings in the segments of a path. */
export function pathMappings(path: readonly PreparedSegment[]): PreparedMapping[] {
  return path.flatMap(({ parts }) => parts.filter((part) => typeof part !== "string"));
}

/** The segments of a path such as `/repos/{owner}/{name}/contents/{+path}`. */
export function readSegments(
  reader: MappingReader,
  path: string,
  pointer: string,
): PreparedSegment[] {
  if (!path.startsWith("/")) {
    reader.refuse(pointer, `must begin with "/"`);
    return [];
  }
  return path
    .slice(1)
    .split("/")
    .map((segment) => readSegment(reader, segment, pointer));
}
