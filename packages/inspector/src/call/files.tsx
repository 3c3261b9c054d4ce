import type { CallFile } from "@waybill/server";
import { useEffect, useState } from "preact/hooks";
import { fileAddress, saveFile } from "../api/files.ts";
import { formatBytes, sentence } from "../components/format.ts";
import { Panel } from "../components/panel.tsx";
import { fileKind, fileName } from "./file-kind.ts";

/** The images, audio and other files of an answer. */
export function FilesPanel({ files }: { readonly files: readonly CallFile[] }) {
  return (
    <Panel title="Files">
      <ul class="files">
        {files.map((file) => (
          <li key={file.handle} class="stack">
            <FileMedia file={file} />
            <FileLine file={file} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function errorText(thrown: unknown): string {
  return sentence(thrown instanceof Error ? thrown.message : "The file cannot be read");
}

function FileMedia({ file }: { readonly file: CallFile }) {
  const kind = fileKind(file);
  const [shown, setShown] = useState<{ address?: string; problem?: string }>({});
  useEffect(() => {
    if (kind === "link") return undefined;
    const end = new AbortController();
    fileAddress(file, end.signal).then(
      (address) => setShown({ address }),
      (thrown: unknown) => end.signal.aborted || setShown({ problem: errorText(thrown) }),
    );
    return () => end.abort();
  }, [file.handle, kind]);
  const { address, problem } = shown;
  if (problem !== undefined) return <p class="notice">{problem}</p>;
  if (address === undefined) return null;
  const name = fileName(file);
  if (kind === "image") return <img src={address} alt={name} />;
  return <audio controls src={address} aria-label={name} />;
}

function FileLine({ file }: { readonly file: CallFile }) {
  const [problem, setProblem] = useState<string>();
  const name = fileName(file);
  const save = (): void => {
    setProblem(undefined);
    saveFile(file, name).catch((thrown: unknown) => setProblem(errorText(thrown)));
  };
  return (
    <p class="row">
      <button type="button" class="button quiet" onClick={save}>
        Save {name}
      </button>
      <span class="soft small">
        {file.mime_type}, {formatBytes(file.bytes)}
      </span>
      {problem !== undefined && <span role="alert">{problem}</span>}
    </p>
  );
}
