import type { CallFile } from "@waybill/server";

/**
 * The largest file that is loaded automatically. Larger ones are loaded when the user asks for
 * them.
 */
const MAX_SHOWN_BYTES = 8_000_000;
/**
 * Image types that contain only pixels. SVG is not one of them, because it can contain scripts and
 * links.
 */
const IMAGES = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/u;
const AUDIO = /^audio\/[\w.+-]+$/u;

/** How the page shows a file. */
export function fileKind({ mime_type, bytes }: CallFile): "image" | "audio" | "link" {
  if (bytes > MAX_SHOWN_BYTES) return "link";
  if (IMAGES.test(mime_type)) return "image";
  return AUDIO.test(mime_type) ? "audio" : "link";
}

/** The last part of the file's name or address. */
export function fileName({ name, mime_type }: CallFile): string {
  const [path = ""] = name?.split(/[?#]/u, 1) ?? [];
  const last = path.split(/[\\/]/u).findLast((part) => part !== "");
  return last ?? `file.${mime_type.split("/")[1]?.replaceAll(/\W.*/gu, "") || "bin"}`;
}
