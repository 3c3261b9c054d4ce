import type { Listed } from "../capabilities/group.ts";
import { viewAddress } from "../router/route.ts";
import { goTo } from "../router/router.ts";
import { THEMES, theme } from "../theme/theme.ts";
import { VIEWS } from "./views.ts";

/** One entry of the command palette. */
export interface Entry {
  readonly title: string;
  /** The kind of the entry, in a word or two. */
  readonly about: string;
  readonly run: () => void;
}

const MAX_ENTRIES = 12;

const SHORTCUTS = [
  ["Failed calls", { status: "error" }],
  ["Writes that may be applied", { outcome: "unknown" }],
  ["Calls of agents over MCP", { via: "mcp" }],
  ["Only calls that no other call made", { parent: "none" }],
] as const;

function leadsTo(title: string, about: string, address: string): Entry {
  return { title, about, run: () => goTo(address) };
}

function fixedEntries(): Entry[] {
  return [
    ...VIEWS.map(({ view, title }) => leadsTo(title, "view", viewAddress(view))),
    ...SHORTCUTS.map(([title, query]) =>
      leadsTo(title, "calls", viewAddress("calls", undefined, query)),
    ),
    ...THEMES.map((name) => ({
      title: `Colours: ${name}`,
      about: "setting",
      run: () => void (theme.value = name),
    })),
  ];
}

/** Finds entries for the words: views and settings first, then capabilities. */
export function entriesFor(words: string, found: readonly Listed[]): Entry[] {
  const wanted = words.toLowerCase().split(/\s+/u).filter(Boolean);
  const fixed = fixedEntries().filter(({ title, about }) => {
    const text = `${title} ${about}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const capabilities = found.map(({ capability_id }) =>
    leadsTo(capability_id, "capability", viewAddress("capabilities", capability_id)),
  );
  return [...fixed, ...capabilities].slice(0, MAX_ENTRIES);
}
