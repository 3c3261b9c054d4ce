import type { CodeGraph, Manifest } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";
import { manifestsAbove } from "../../rules/index.ts";
import { isJudged, isOutsideProgram } from "../modules/live-files.ts";
import { folderName } from "../names/names.ts";
import { packagesIn, typedPackage } from "../completeness/unlisted-packages.ts";
import type { IssueRule } from "./issue.ts";
import { findingPath } from "./issue.ts";

const SCRIPTS = new Set(["typescript", "javascript", "vue", "svelte", "astro"]);

interface Use {
  readonly file: number;
  readonly line: number;
  readonly name: string;
}

/** The packages that files import, inside or outside of the tree. */
const packageUses: (graph: CodeGraph) => readonly Use[] = perGraph((graph) => {
  const uses: Use[] = [];
  const { packages, imports } = graph;
  for (let row = 0; row < packages.count; row++) {
    // The languages whose packages are listed in package.json. Others use other manifests.
    const isScript = SCRIPTS.has(graph.files.language(packages.file(row)));
    if (packages.kind(row) !== "package" || !isScript) continue;
    uses.push({ file: packages.file(row), line: packages.line(row), name: packages.text(row) });
  }
  for (let edge = 0; edge < imports.count; edge++) {
    if (imports.how(edge) !== "workspace") continue;
    const [owner] = manifestsAbove(graph, graph.files.path(imports.to(edge)));
    if (owner?.name === undefined) continue;
    uses.push({ file: imports.from(edge), line: imports.line(edge), name: owner.name });
  }
  return uses;
});

/**
 * Packages that are used without an import: programs, types, and plugins that a framework loads by
 * name.
 */
const USED_UNSEEN =
  /^@types\/|^typescript$|^(?:react-dom|tslib|core-js|regenerator-runtime|reflect-metadata|source-map-support|@babel\/runtime|@swc\/helpers)$|(?:^|[-/])(?:cli|plugin|preset|loader|config|eslint|prettier|types)(?:[-/]|$)/u;

/** A dependency that no file of its package imports. */
export const unusedDependency: IssueRule = {
  kind: "UNUSED_DEPENDENCY",
  severity: "info",
  *find({ graph }) {
    const used = new Map<string, Set<string>>();
    for (const { file, name } of packageUses(graph)) {
      for (const { path } of manifestsAbove(graph, graph.files.path(file))) {
        const names = used.get(path) ?? new Set();
        used.set(path, names.add(name));
      }
    }
    for (const { path, dependencies } of graph.info.manifests) {
      const file = graph.files.find(path);
      const names = used.get(path);
      // Skips a package.json if no file below it imports a package: its code was probably not read.
      if (file === undefined || names === undefined) continue;
      for (const name of dependencies) {
        const isUsed = names.has(name) || names.has(typedPackage(name) ?? name);
        if (!isUsed && !USED_UNSEEN.test(name)) yield { file, subject: name };
      }
    }
  },
  summary: (view, finding) =>
    `${findingPath(view, finding)} lists ${finding.subject}, which no file imports`,
  evidence: () => ["no file in the folder of this package.json imports it"],
  impact: () => "It is not needed, except if a program or a configuration loads it by name.",
  fixes: (view, finding) => [
    {
      description: `Remove ${finding.subject}`,
      effort: "small",
      steps: [`Remove it from dependencies in ${findingPath(view, finding)}`, "Run the tests"],
    },
  ],
  edits: (view, finding) => [
    {
      file: findingPath(view, finding),
      action: "modify",
      description: `remove ${finding.subject} from dependencies`,
      changes: [`"${finding.subject}"`],
    },
  ],
};

/** The usual folder for a package's programs. */
const PROGRAMS = /^bin\//u;

/** A file that its package.json names as an entry point, so it certainly runs. */
function isEntry(graph: CodeGraph, file: number, { path: manifest }: Manifest): boolean {
  const { entrypoints, files } = graph;
  const inside = files.path(file).slice(folderName(manifest).length).replace(/^\//u, "");
  if (isOutsideProgram(manifest) || isOutsideProgram(inside.replace(PROGRAMS, ""))) return false;
  if (files.kind(file) !== "module" || files.state(file) !== "parsed") return false;
  return [...entrypoints.inFile(file)].some((row) => entrypoints.detail(row) === "package.json");
}

/** An imported package that no package.json above lists. */
export const unlistedDependency: IssueRule = {
  kind: "UNLISTED_DEPENDENCY",
  severity: "warning",
  *find({ graph }) {
    const seen = new Set<string>();
    for (const { file, line, name } of packageUses(graph)) {
      const above = manifestsAbove(graph, graph.files.path(file));
      const [nearest] = above;
      if (nearest === undefined || graph.files.kind(file) === "declaration") continue;
      const isTest = graph.files.kind(file) === "test";
      if (!isTest && !isJudged(graph, file) && !isEntry(graph, file, nearest)) continue;
      const isListed = above.some((manifest) => packagesIn(manifest).includes(name));
      const key = `${nearest.path} ${name}`;
      if (isListed || seen.has(key)) continue;
      seen.add(key);
      yield { file, line, subject: name, note: nearest.path };
    }
  },
  summary: (_view, { subject, note }) => `${subject} is imported but not listed in ${note ?? ""}`,
  evidence: (_view, { note }) => [`neither ${note ?? ""} nor a package.json above lists it`],
  impact: () => "It works only while another package installs it.",
  fixes: (_view, { subject, note }) => [
    {
      description: `List ${subject}`,
      effort: "small",
      steps: [`Add ${subject} to ${note ?? "package.json"}`],
    },
  ],
  edits: (_view, { subject, note }) => [
    {
      file: note ?? "package.json",
      action: "modify",
      description: `list ${subject} in dependencies`,
      changes: [`"${subject}"`],
    },
  ],
};
