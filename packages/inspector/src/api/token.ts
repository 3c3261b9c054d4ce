import { signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";

const KEPT_AS = "waybill-token";
const IN_ADDRESS = /^#token=(.+)$/u;

const kept = signal(sessionStorage.getItem(KEPT_AS) ?? "");
const refused = signal(false);

/** The token that proves that the viewer may use this server; empty if there is none. */
export const token: ReadonlySignal<string> = kept;

/** Whether the server refused the token. */
export const isRefused: ReadonlySignal<boolean> = refused;

export function refuseToken(): void {
  refused.value = true;
}

export function keepToken(given: string): void {
  kept.value = given.trim();
  refused.value = false;
  sessionStorage.setItem(KEPT_AS, kept.value);
}

/** Removes the token from the URL, so that it is not in the browser's history or in screenshots. */
export function takeTokenFromAddress(home: string): void {
  const [, given] = IN_ADDRESS.exec(location.hash) ?? [];
  if (given === undefined) return;
  keepToken(decodedToken(given));
  history.replaceState(null, "", home);
}

function decodedToken(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
