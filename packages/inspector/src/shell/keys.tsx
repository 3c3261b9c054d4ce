import { useEffect, useRef } from "preact/hooks";
import { wantSearchField } from "../components/search-field.tsx";
import { HOME, viewAddress } from "../router/route.ts";
import { goTo, place } from "../router/router.ts";

const KEYS = [
  ["/", "Search"],
  ["Ctrl+K, Cmd+K", "Go to a view, a capability or a setting"],
  ["j, k, arrows", "Next and previous call, in the list"],
  ["Enter", "Open the call"],
  ["Esc", "Back to the list"],
  ["?", "Show these keys"],
] as const;

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("input[type=search]");
  field?.focus();
  field?.select();
  return field !== null;
}

/** Focuses the search field, or opens the list of calls, which has one. */
function startSearch(): void {
  if (focusSearch()) return;
  wantSearchField();
  goTo(HOME);
}

function goBack(): void {
  const { view, id } = place.value;
  if (id !== undefined) goTo(viewAddress(view));
}

/** The keyboard shortcuts of the page, and a dialog that lists them. */
export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || dialog.current?.open === true) return;
      if (isTyping(event)) return;
      if (event.key === "/") {
        startSearch();
        event.preventDefault();
      } else if (event.key === "?") dialog.current?.showModal();
      else if (event.key === "Escape" && document.querySelector("dialog[open]") === null) goBack();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return (
    <dialog ref={dialog} class="panel keys" aria-label="Keys">
      <h2>Keys</h2>
      <dl class="facts">
        {KEYS.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </dialog>
  );
}
