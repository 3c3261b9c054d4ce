import { useEffect, useRef, useState } from "preact/hooks";
import { place, setQuery } from "../router/router.ts";

const TYPING_MS = 200;

let isWanted = false;

/** The next search field that is shown gets the focus. */
export function wantSearchField(): void {
  isWanted = true;
}

interface SearchFieldProps {
  readonly label: string;
  /** The query parameter in the URL that the field sets. */
  readonly name?: string;
}

/** Waits for a pause in typing, so that not every letter sends a request. */
export function SearchField({ label, name = "q" }: SearchFieldProps) {
  const given = place.value.query.get(name) ?? "";
  const [text, setText] = useState(given);
  const typed = useRef(given);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isWanted) return undefined;
    isWanted = false;
    // A new view takes the focus first.
    const timer = setTimeout(() => field.current?.focus());
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (given !== typed.current) setText(given);
    typed.current = given;
  }, [given]);
  useEffect(() => {
    if (text.trim() === typed.current) return undefined;
    const timer = setTimeout(() => {
      typed.current = text.trim();
      setQuery({ [name]: typed.current });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, name]);
  return (
    <input
      ref={field}
      class="field search"
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}
