import type { GraphPicture } from "@waybill/server";
import { MARKS } from "./picture-style.ts";
import type { Marks } from "./picture-style.ts";

/** The picture's state in the URL: `#/graph?file=src/a.ts&impact=file` */
export interface AskedByAddress {
  readonly selected?: number;
  /** The file at which a path from the selected file ends. */
  readonly to?: number;
  readonly impact?: "file" | "diff";
  readonly layer?: number;
  readonly marks: Marks;
}

/** Reads the state. Unknown files and layers are ignored. */
export function getAsked(
  query: URLSearchParams,
  picture: GraphPicture,
  indexOf: ReadonlyMap<string, number>,
): AskedByAddress {
  const selected = indexOf.get(query.get("file") ?? "");
  const to = selected === undefined ? undefined : indexOf.get(query.get("to") ?? "");
  const layer = picture.layers.indexOf(query.get("layer") ?? "");
  const impact = findImpact(query.get("impact"), selected !== undefined);
  return {
    marks: getMarks(query),
    ...(selected !== undefined && { selected }),
    ...(to !== undefined && { to }),
    ...(impact !== undefined && { impact }),
    ...(layer >= 0 && { layer }),
  };
}

function findImpact(given: string | null, hasFile: boolean): "file" | "diff" | undefined {
  if (given === "diff") return "diff";
  return given === "file" && hasFile ? "file" : undefined;
}

/** All marks are shown, except those in `hide`. */
function getMarks(query: URLSearchParams): Marks {
  const hidden = (query.get("hide") ?? "").split(",");
  const [violations, cycles, hotspots, changed, imports] = MARKS.map(
    (mark) => !hidden.includes(mark),
  ) as [boolean, boolean, boolean, boolean, boolean];
  return { violations, cycles, hotspots, changed, imports };
}

/** The value of `hide` for these marks; undefined if none is hidden. */
export function findHide(marks: Marks): string | undefined {
  const hidden = MARKS.filter((mark) => !marks[mark]);
  return hidden.length === 0 ? undefined : hidden.join(",");
}
