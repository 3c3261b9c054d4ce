import { useState } from "preact/hooks";
import { formatCount } from "../components/format.ts";

interface Props {
  readonly paths: readonly string[];
  /** The name of the list for screen readers. */
  readonly label: string;
  readonly onPick: (path: string) => void;
}

const AT_FIRST = 12;
const AT_MOST = 1_000;

/** Keeps the end of a long path visible, because the ends differ. */
export function FileButton({
  path,
  onPick,
}: {
  readonly path: string;
  readonly onPick: (path: string) => void;
}) {
  const cut = path.lastIndexOf("/") + 1;
  return (
    <button
      type="button"
      class="file-button"
      title={path}
      aria-label={path}
      onClick={() => onPick(path)}
    >
      <span class="file-folder">{path.slice(0, cut)}</span>
      <span class="file-name">{path.slice(cut)}</span>
    </button>
  );
}

/** A list of files: the first few, and all on request. */
export function FileList({ paths, label, onPick }: Props) {
  const [isOpen, setOpen] = useState(false);
  const shown = paths.slice(0, isOpen ? AT_MOST : AT_FIRST);
  if (paths.length === 0) return <p class="soft small">None</p>;
  return (
    <>
      <ul class="file-list" aria-label={label}>
        {shown.map((path) => (
          <li key={path}>
            <FileButton path={path} onPick={onPick} />
          </li>
        ))}
      </ul>
      {paths.length > AT_FIRST && (
        <button type="button" class="button quiet" onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show fewer" : `Show all ${formatCount(paths.length)}`}
        </button>
      )}
      {isOpen && paths.length > AT_MOST && (
        <p class="soft small">The first {formatCount(AT_MOST)} are listed.</p>
      )}
    </>
  );
}
