import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { defineConfig } from "vitepress";
import { githubAnchor } from "./anchors.ts";
import { readSections } from "./pages.ts";

const docs = join(import.meta.dirname, "..");
const root = join(docs, "..");
const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  repository: { url: string };
};
const repositoryUrl = repository.url.replace(/^git\+/u, "").replace(/\.git$/u, "");
const cache = "../node_modules/.cache/waybill";
const sections = readSections(join(docs, "README.md"));

/** Points a link that leaves docs/, such as one to an example, to the file in the repository. */
function resolveLink(href: string, page: string): string {
  if (!href.startsWith("../")) return href;
  const path = posix.join("docs", posix.dirname(page), href);
  return path.startsWith("docs/") ? href : `${repositoryUrl}/blob/main/${path}`;
}

export default defineConfig({
  title: "Waybill",
  description: "The runtime between an AI agent and everything it can call.",
  lang: "en",
  head: [["style", {}, readFileSync(join(import.meta.dirname, "colours.css"), "utf8")]],
  cleanUrls: true,
  srcExclude: ["README.md"],
  outDir: `${cache}/site`,
  cacheDir: `${cache}/vitepress`,
  markdown: {
    anchor: { slugify: githubAnchor },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => {
      markdown.core.ruler.push("waybill", ({ tokens, env }) => {
        const { relativePath } = env as { relativePath: string };
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          // Vue would evaluate {{…}} in inline code, such as the templates of chains.
          if (token.type === "code_inline") token.attrSet("v-pre", "");
          const href = token.attrGet("href");
          if (href !== null) token.attrSet("href", resolveLink(href, relativePath));
        }
      });
    },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: sections.map(({ text, items }) => ({ text, link: items[0]!.link })),
    sidebar: sections.map(({ text, items }) => ({ text, items: [...items] })),
    socialLinks: [{ icon: "github", link: repositoryUrl }],
  },
});
