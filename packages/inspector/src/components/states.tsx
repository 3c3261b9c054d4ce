import type { ComponentChildren } from "preact";
import { Refused, Unreachable } from "../api/ask.ts";
import { sentence } from "./format.ts";

/** Shown only after a short delay, because most responses arrive sooner. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="state loading" role="status">
      Loading {what}…
    </p>
  );
}

export function Empty(props: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="state">
      <strong>{props.title}</strong>
      {props.children}
    </div>
  );
}

export function Failed({ title, thrown }: { readonly title: string; readonly thrown?: unknown }) {
  return (
    <div class="state" role="alert">
      <strong>{title}</strong>
      {errorMessage(thrown)}
    </div>
  );
}

/** The error as a message for the user of the page. */
export function errorMessage(thrown: unknown): string {
  if (thrown instanceof Unreachable)
    return "The server does not answer. The page retries automatically.";
  if (thrown instanceof Refused) {
    const hint = thrown.hint === undefined ? "" : ` ${sentence(thrown.hint)}`;
    return `${sentence(thrown.message)}${hint}`;
  }
  return thrown instanceof Error ? thrown.message : "";
}
