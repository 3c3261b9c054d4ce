import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LayerRules } from "@waybill/codegraph";
import { root } from "./run.mjs";

type Rule = NonNullable<LayerRules["forbidden"]>[number];

const TESTS = ["**/*.test.ts", "**/*.test-d.ts"];
const CORE = "packages/core/src";

/** The order of packages and core's folders in ARCHITECTURE.md. */
interface Layers {
  readonly groups: readonly (readonly string[])[];
  readonly folders: readonly string[];
}

function readLayers(): Layers {
  const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const [intro = "", core = ""] = page.slice(page.indexOf("## Folders")).split(/^### /m);
  const groups = [...intro.matchAll(/^\d+\. (.+)$/gm)].map(([, line = ""]) =>
    [...line.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
  const folders = [...core.matchAll(/^- `([\w-]+)\/`:/gm)].map(([, name = ""]) => name);
  return { groups, folders };
}

function braces(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? "") : `{${names.join(",")}}`;
}

function forbidden(
  name: string,
  comment: string,
  from: Required<Rule>["from"],
  to: Required<Rule>["to"],
): Rule {
  return { name, comment, severity: "error", from, to };
}

/** A package may not import its own group or a later one. The last group has its own rules. */
function packageRules({ groups }: Layers): Rule[] {
  return groups.slice(0, -1).map((group, index) =>
    forbidden(
      `${group.join("-")}-import-below`,
      "A package imports only packages of an earlier group",
      { path: `packages/(${group.join("|")})/src/**`, pathNot: TESTS },
      {
        path: `packages/${braces(groups.slice(index).flat())}/**`,
        pathNot: "packages/$1/**",
      },
    ),
  );
}

function folderRules({ folders }: Layers): Rule[] {
  return folders.map((folder, index) => {
    const later = folders.slice(index + 1);
    return forbidden(
      `core-${folder}-imports-below`,
      "A folder of core imports only folders that are listed before it",
      { path: `${CORE}/${folder}/**`, pathNot: TESTS },
      { path: [`${CORE}/*.ts`, ...(later.length > 0 ? [`${CORE}/${braces(later)}/**`] : [])] },
    );
  });
}

function fixedRules({ groups, folders }: Layers): Rule[] {
  const packages = groups.flat();
  const besidesServer = packages.filter((name) => name !== "server" && name !== "inspector");
  return [
    forbidden(
      "inspector-imports-server",
      "The inspector page imports only types, and only those of the server package",
      { path: "packages/inspector/src/**", pathNot: TESTS },
      { path: `packages/${braces(besidesServer)}/**` },
    ),
    forbidden(
      "cli-does-not-import-inspector",
      "The command serves the built page, so it imports no code of the page",
      { path: "packages/cli/src/**" },
      { path: "packages/inspector/**" },
    ),
    {
      name: "packages-have-a-layer",
      comment: "ARCHITECTURE.md does not list this package in a group",
      severity: "error",
      module: {
        path: "packages/*/src/**",
        pathNot: `packages/${braces(packages)}/**`,
        numberOfDependentsLessThan: 1_000_000,
      },
    },
    forbidden(
      "dependencies-are-declared",
      "Every package that is imported is a dependency or a peer in the package's own package.json; helpers of tests are not shipped, and the page is bundled whole",
      {
        path: "packages/*/src/**",
        pathNot: [
          ...TESTS,
          "packages/codegraph/src/build/testing/**",
          "packages/inspector/**",
          "**/fixtures/**",
        ],
      },
      { dependencyTypes: ["npm-dev", "npm-no-pkg"], dependencyTypesNot: ["npm-peer"] },
    ),
    forbidden(
      "packages-reach-each-other-by-name",
      "Other packages are imported by name, not by path",
      { path: "packages/(*)/src/**", pathNot: [...TESTS, "**/fixtures/**"] },
      {
        path: "**",
        pathNot: ["packages/$1/**"],
        dependencyTypes: ["local"],
        dependencyTypesNot: ["aliased-workspace"],
      },
    ),
    forbidden(
      "no-circles",
      "Files do not import each other in a circle, not even types",
      { path: "packages/*/src/**", pathNot: TESTS },
      { circular: true },
    ),
    forbidden(
      "emulator-apis-are-apart",
      "Both APIs of the emulator show what is in its store, and neither knows the other",
      { path: "packages/github/src/emulator/graphql/**", pathNot: TESTS },
      { path: "packages/github/src/emulator/rest/**" },
    ),
    forbidden(
      "core-folders-have-doors",
      "A folder of core is imported through its index.ts only",
      { path: `${CORE}/(*)/**`, pathNot: TESTS },
      { path: `${CORE}/*/**`, pathNot: [`${CORE}/$1/**`, `${CORE}/*/index.ts`] },
    ),
    forbidden(
      "core-folders-have-a-layer",
      "ARCHITECTURE.md does not list this folder of core",
      { path: `${CORE}/**`, pathNot: TESTS },
      { path: `${CORE}/*/**`, pathNot: `${CORE}/${braces(folders)}/**` },
    ),
    forbidden(
      "core-runs-in-browsers",
      "Core runs in browsers too, so it uses no Node module",
      { path: `${CORE}/**`, pathNot: TESTS },
      { dependencyTypes: ["core"] },
    ),
  ];
}

/** The text of .waybill/graph/layers.json: the order in ARCHITECTURE.md as rules. */
export function renderLayers(): string {
  const layers = readLayers();
  const rules = [...packageRules(layers), ...folderRules(layers), ...fixedRules(layers)];
  return JSON.stringify({ forbidden: rules });
}
