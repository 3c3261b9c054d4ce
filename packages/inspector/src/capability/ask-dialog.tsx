import { useEffect, useRef } from "preact/hooks";
import { sentence } from "../components/format.ts";
import { JsonView } from "../components/json-view.tsx";
import type { Asked } from "./use-runner.ts";

interface AskDialogProps {
  readonly id: string;
  readonly asked: Asked;
  readonly onAnswer: (agrees: boolean) => void;
}

/** Asks before a destructive call and shows its input. No button is preselected. */
export function AskDialog({ id, asked, onAnswer }: AskDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="ask-title" onCancel={() => onAnswer(false)}>
      <div class="stack">
        <h2 id="ask-title">
          Run <code>{id}</code>?
        </h2>
        <p>{sentence(asked.message)} It may not be possible to undo this.</p>
        <JsonView value={asked.params} label="With this input" />
        <div class="row">
          <button type="button" class="button" onClick={() => onAnswer(false)}>
            Do not run it
          </button>
          <button type="button" class="button danger" onClick={() => onAnswer(true)}>
            Approve and run
          </button>
        </div>
      </div>
    </dialog>
  );
}
