import { signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";
import { viewAddress, parseHash } from "./route.ts";
import type { Place } from "./route.ts";

const current = signal<Place>(parseHash(""));

/** The current view. */
export const place: ReadonlySignal<Place> = current;

function readAddress(): void {
  current.value = parseHash(location.hash);
}

export function startRouter(): void {
  addEventListener("hashchange", readAddress);
  readAddress();
}

export function goTo(address: string): void {
  location.hash = address;
}

/** Changes filters in the URL without adding an entry to the browser's history. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { view, id, query } = current.value;
  // A click on a link sets the hash first, and `hashchange` follows later. Writing the old view's
  // address in between would undo the click.
  const shown = parseHash(location.hash);
  if (shown.view !== view || shown.id !== id) return;
  const next = viewAddress(view, id, { ...Object.fromEntries(query), ...changes });
  if (next === location.hash) return;
  history.replaceState(null, "", next);
  current.value = parseHash(next);
}
