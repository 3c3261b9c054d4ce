/** The parts of the URL: `#/calls/<id>?status=error` */
export interface Place {
  /** The first word of the path. The view may not exist. */
  readonly view: string;
  /** The subject of the view, if it shows a single object such as a call. */
  readonly id?: string;
  readonly query: URLSearchParams;
}

export const HOME = "#/calls";

/** Decodes a part of the URL. A part that is encoded incorrectly stays as it is. */
function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function parseHash(hash: string): Place {
  const [path, query] = splitOnce(hash.replace(/^#/u, ""), "?");
  const [, view = "", ...rest] = path.split("/");
  const id = decodedPart(rest.join("/"));
  return {
    view: view === "" ? "calls" : view,
    ...(id !== "" && { id }),
    query: new URLSearchParams(query),
  };
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** The URL of a view. Members without a value are left out. */
export function viewAddress(
  view: string,
  id?: string,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const words = new URLSearchParams(given as [string, string][]).toString();
  const path = id === undefined ? view : `${view}/${encodeURIComponent(id)}`;
  return `#/${path}${words === "" ? "" : `?${words}`}`;
}
