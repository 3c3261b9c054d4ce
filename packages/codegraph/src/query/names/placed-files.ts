import type { CodeGraph, Manifest } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";
import { manifestsAbove } from "../../rules/index.ts";
import { typesBeside } from "./types-beside.ts";

/** Files that a framework loads by location and name. */
const PLACES: readonly { readonly by: readonly string[]; readonly path: RegExp }[] = [
  {
    by: ["next"],
    path: /(?:^|\/)app\/(?:.*\/)?(?:page|route|layout|default|template|loading|error|global-error|not-found|global-not-found|forbidden|unauthorized|icon|apple-icon|opengraph-image|twitter-image|sitemap|robots|manifest)\d*\.[jt]sx?$/u,
  },
  {
    by: ["next"],
    path: /(?:^|\/)(?:middleware|proxy|instrumentation(?:-client)?|mdx-components)\.[cm]?[jt]sx?$/u,
  },
  { by: ["next-intl"], path: /(?:^|\/)i18n\/request\.[jt]sx?$/u },
  { by: ["@sveltejs/kit"], path: /(?:^|\/)src\/routes\/(?:.*\/)?\+[^/]+$/u },
  {
    by: ["@sveltejs/kit"],
    path: /(?:^|\/)src\/(?:hooks|service-worker|params|instrumentation)(?:[./][^/]*)?\.[jt]s$/u,
  },
  // These frameworks load files from any folder, by names in templates and settings.
  { by: ["nuxt", "ember-source"], path: /./u },
  { by: ["react-email", "@react-email/preview-server"], path: /(?:^|\/)emails\//u },
  { by: ["vite-plugin-vue-layouts"], path: /(?:^|\/)layouts\//u },
  {
    by: ["vite-plugin-pages", "unplugin-vue-router", "@roxi/routify", "umi", "vike", "waku"],
    path: /(?:^|\/)pages\//u,
  },
  {
    by: [
      "@tanstack/react-router",
      "@tanstack/solid-router",
      "@solidjs/start",
      "@builder.io/qwik-city",
    ],
    path: /(?:^|\/)routes\//u,
  },
  { by: ["unplugin-vue-components"], path: /(?:^|\/)components\//u },
  { by: ["astro"], path: /(?:^|\/)src\/(?:pages\/|content(?:\.config|\/config)|middleware)/u },
  {
    by: ["@react-router/dev", "@remix-run/dev", "@remix-run/react"],
    path: /(?:^|\/)app\/(?:(?:root|routes|entry\.(?:client|server|worker))\.[jt]sx?$|routes\/)/u,
  },
  { by: ["gatsby"], path: /(?:^|\/)(?:gatsby-\w+\.[jt]sx?$|src\/(?:pages|templates|api)\/)/u },
  { by: ["expo-router"], path: /(?:^|\/)app\//u },
  // Site generators load components by name from documents.
  { by: ["@docusaurus/core", "vitepress", "nextra", "@astrojs/starlight", "vuepress"], path: /./u },
];

function uses({ dependencies, devDependencies }: Manifest, names: readonly string[]): boolean {
  return names.some((name) => dependencies.includes(name) || devDependencies.includes(name));
}

/** Where frameworks that a package.json lists look for files, by package.json. */
const placesOf: (graph: CodeGraph) => ReadonlyMap<Manifest, readonly RegExp[]> = perGraph(
  (graph) =>
    new Map(
      graph.info.manifests.map((manifest) => [
        manifest,
        PLACES.filter(({ by }) => uses(manifest, by)).map(({ path }) => path),
      ]),
    ),
);

/** A bundler can replace `path.ts` by `path.electron.ts`. */
const VARIANT =
  /^(.*)[.-](?:native|web|ios|android|electron|browser|node|server|client|api|desktop|mobile|windows|macos|deno|bun|edge)\.([cm]?[jt]sx?)$/u;

function isVariant(graph: CodeGraph, path: string): boolean {
  const [, stem, ending] = VARIANT.exec(path) ?? [];
  if (stem === undefined || ending === undefined) return false;
  return ["ts", "tsx", "js", "jsx"].some((one) => graph.files.find(`${stem}.${one}`) !== undefined);
}

/** Whether a framework or bundler loads the file without an import. */
export function isPlaced(graph: CodeGraph, path: string): boolean {
  const [owner] = manifestsAbove(graph, path);
  const places = owner === undefined ? [] : (placesOf(graph).get(owner) ?? []);
  if (places.some((place) => place.test(path))) return true;
  return isVariant(graph, path) || typesBeside(graph, path) !== undefined;
}
