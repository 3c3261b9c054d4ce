import { readFileSync } from "node:fs";

interface PageLink {
  readonly text: string;
  readonly link: string;
}

export interface Section {
  readonly text: string;
  readonly items: readonly PageLink[];
}

const LINK = /^\| \[([^\]]+)\]\(([^)]+)\.md\)/gmu;

/** Reads the sections and their pages from docs/README.md, which people read in the repository. */
export function readSections(file: string): Section[] {
  const [, ...sections] = readFileSync(file, "utf8").split(/^## /mu);
  return sections.map((section) => ({
    text: section.slice(0, section.indexOf("\n")),
    items: [...section.matchAll(LINK)].map(([, text, path]) => ({
      text: text!.replaceAll("`", ""),
      link: `/${path}`,
    })),
  }));
}
