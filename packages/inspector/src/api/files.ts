import type { CallFile } from "@waybill/server";
import { refusalIn, request } from "./ask.ts";

/** A file in an answer, with a media type that the page chooses. */
async function fetchFile({ handle }: CallFile, type: string, signal?: AbortSignal): Promise<Blob> {
  const path = `/v1/inspect/files/${encodeURIComponent(handle)}`;
  const response = await request(path, signal === undefined ? {} : { signal });
  if (response.ok) return new Blob([await response.arrayBuffer()], { type });
  throw refusalIn(await response.json().catch(() => undefined), response.status);
}

/** Converts an image or audio to a URL that the page's content security policy allows. */
export async function fileAddress(file: CallFile, signal: AbortSignal): Promise<string> {
  const blob = await fetchFile(file, file.mime_type, signal);
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(blob);
  });
}

const REVOKE_MS = 60_000;

/** Saves a file. Its media type is one that no browser displays. */
export async function saveFile(file: CallFile, name: string): Promise<void> {
  const url = URL.createObjectURL(await fetchFile(file, "application/octet-stream"));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
}
