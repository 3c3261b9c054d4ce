import { useId, useState } from "preact/hooks";
import { FileButton } from "./file-list.tsx";
import { findFiles } from "./find-files.ts";

interface Props {
  readonly files: readonly string[];
  readonly label: string;
  readonly onPick: (path: string) => void;
}

/** A field that finds files. Enter selects the best match. */
export function FileFinder({ files, label, onPick }: Props) {
  const [words, setWords] = useState("");
  const id = useId();
  const found = findFiles(files, words);
  const pick = (path: string): void => {
    setWords("");
    onPick(path);
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const [best] = found;
    if (best !== undefined) pick(files[best]!);
  };
  return (
    <form class="finder" role="search" aria-label={label} onSubmit={submit}>
      <label class="small soft" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="field"
        type="search"
        autocomplete="off"
        spellcheck={false}
        placeholder="Part of a path, or its letters"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      {words.trim() !== "" && (
        <div class="found">
          <p class="only-read" role="status">
            {found.length} files found
          </p>
          {found.length === 0 && <p class="soft small">No path contains these letters.</p>}
          <ul class="file-list" aria-label="Files found">
            {found.map((file) => (
              <li key={file}>
                <FileButton path={files[file]!} onPick={pick} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </form>
  );
}
