import { listedPackages } from "../../graph/index.ts";
import type { CodeGraph } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";

/** Packages that connect files in ways that the graph does not read. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  "@angular/core": "Angular templates are not read",
  "@redwoodjs/core": "imports that Redwood adds are not read",
  "ember-source": "Ember finds files by name, which is not supported",
  "unplugin-auto-import": "imports that unplugin-auto-import adds are not read",
  "unplugin-vue-components": "components that unplugin-vue-components imports are not read",
};

/** A short note for each framework of the tree that the graph does not fully read. */
export const unsupportedFrameworks: (graph: CodeGraph) => readonly string[] = perGraph(
  ({ info }) => {
    const listed = new Set(info.manifests.flatMap(listedPackages));
    const unread = Object.keys(UNSUPPORTED).flatMap((name) =>
      listed.has(name) ? UNSUPPORTED[name]! : [],
    );
    const isEarly = info.phase === "modules" && listed.has("nuxt");
    return isEarly ? [...unread, "imports that Nuxt adds are not read yet"] : unread;
  },
);
