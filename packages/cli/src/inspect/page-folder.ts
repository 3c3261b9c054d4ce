import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The page is beside the built command, or in its own package when the command runs from source.
 */
const PLACES = import.meta.url.endsWith(".ts")
  ? ["../../../inspector/dist/", "../../dist/inspector/"]
  : ["../inspector/"];

/** How to get the page if `pageFolder` did not find it. */
export const BUILD_HINT = "run npm run build in a clone of Waybill";

/** The folder with the page's files; undefined if they were not built. */
export function pageFolder(): string | undefined {
  const folders = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return folders.find((folder) => existsSync(join(folder, "index.html")));
}
