import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Listed } from "../capabilities/group.ts";
import { useAnswer } from "../components/use-answer.ts";
import { idMatches } from "./id-matches.ts";
import { entriesFor } from "./palette-entries.ts";
import type { Entry } from "./palette-entries.ts";

const MOST_CAPABILITIES = "8";
const MOST_LISTED = 10_000;

function isOpener({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === "k" && (ctrlKey || metaKey);
}

const isOpen = signal(false);

export function openPalette(): void {
  if (document.querySelector("dialog[open]") === null) isOpen.value = true;
}

/** The command palette, which Ctrl+K or Cmd+K opens. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!isOpener(event)) return;
      event.preventDefault();
      openPalette();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  useEffect(() => {
    if (isOpen.value) dialog.current?.showModal();
  }, [isOpen.value]);
  if (!isOpen.value) return null;
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Command palette"
      onClose={() => {
        isOpen.value = false;
      }}
    >
      <Chooser onDone={() => dialog.current?.close()} />
    </dialog>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** A text field with the matching entries below. */
function Chooser({ onDone }: { readonly onDone: () => void }) {
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState(0);
  const entries = entriesFor(words, useCapabilities(words));
  const at = Math.min(chosen, entries.length - 1);
  const run = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onDone();
    entry.run();
  };
  const listen = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (step === undefined) run(entries[at]);
    else setChosen((at + step + entries.length) % Math.max(1, entries.length));
  };
  return (
    <>
      <input
        class="field"
        type="text"
        role="combobox"
        aria-label="Go to"
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={entries.length === 0 ? undefined : `palette-${at}`}
        placeholder="A view, a capability, a setting…"
        spellcheck={false}
        autocomplete="off"
        value={words}
        onInput={({ currentTarget }) => {
          setWords(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={listen}
      />
      <ul id="palette-entries" role="listbox" aria-label="Found">
        {entries.map((entry, index) => (
          <li
            key={`${entry.about} ${entry.title}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(entry)}
          >
            <span>{entry.title}</span> <span class="soft small">{entry.about}</span>
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p class="soft">Nothing matches “{words}”.</p>}
    </>
  );
}

/** The best matching capabilities, loaded after something was typed. */
function useCapabilities(words: string): readonly Listed[] {
  const query = words.trim();
  const asked = new URLSearchParams({ limit: MOST_CAPABILITIES, ...(query !== "" && { query }) });
  const found = useAnswer<Listed[]>(`/v1/capabilities?${asked.toString()}`, { keeps: true });
  const listed = useAnswer<Listed[]>(`/v1/capabilities?limit=${MOST_LISTED}`, { keeps: true });
  return idMatches(query, listed.value ?? [], found.value ?? []);
}
