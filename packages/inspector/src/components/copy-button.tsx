import { useEffect, useState } from "preact/hooks";

const SAID_MS = 1_600;

/** A button that copies text. The text is also shown, for browsers that cannot copy. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = said === "" ? undefined : setTimeout(() => setSaid(""), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("Could not copy. Select the text instead"),
    );
  };
  return (
    <button type="button" class="button quiet" aria-label={`Copy ${what}`} onClick={copy}>
      <span aria-live="polite">{said === "" ? "Copy" : said}</span>
    </button>
  );
}
