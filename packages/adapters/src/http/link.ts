/** Query parameters that common APIs use for the position of a page, the most common first. */
const CURSOR_NAMES = ["page", "after", "cursor", "page_token", "since", "before", "offset"];

/** Some APIs also link to a next page that is empty, with `results="false"`. */
function isNext(parameters: string): boolean {
  if (/;\s*results\s*=\s*"?false\b/iu.test(parameters)) return false;
  const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/iu.exec(parameters);
  return (rel?.[1] ?? rel?.[2] ?? "").toLowerCase().split(/\s+/u).includes("next");
}

/**
 * The next page in a `Link` header. Only the query of the URL is used, so the URL may be
 * relative.
 */
export function nextUrl(link: string): URL | undefined {
  for (const [, target = "", parameters = ""] of link.matchAll(/<([^<>]*)>([^<]*)/gu)) {
    if (isNext(parameters) && URL.canParse(target, "http://host")) {
      return new URL(target, "http://host");
    }
  }
  return undefined;
}

/**
 * The cursor of the next page from a `Link` header: the page number, or the cursor parameter of
 * the next link. Null if there is a header but no next page.
 */
export function nextCursor(link: string | undefined): string | null | undefined {
  if (link === undefined) return undefined;
  const query = nextUrl(link)?.searchParams;
  const name = CURSOR_NAMES.find((candidate) => query?.has(candidate) === true);
  return name === undefined ? null : (query?.get(name) ?? null);
}
