/** The anchor of a heading on GitHub. The site uses the same, so that links work in both. */
export function githubAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}
