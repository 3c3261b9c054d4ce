import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Beside the built command, or, for one that is run from its source, where the page is built. */
const PLACES = import.meta.url.endsWith(".ts")
  ? ["../../../inspector/dist/", "../../dist/inspector/"]
  : ["../inspector/"];

/** How to get what `pageFolder` did not find. */
export const BUILD_HINT = "run npm run build in a clone of Waybill";

/** Where the files of the page are; undefined where they were not built. */
export function pageFolder(): string | undefined {
  const folders = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return folders.find((folder) => existsSync(join(folder, "index.html")));
}
