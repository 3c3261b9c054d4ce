/** One pattern, or several of which one must match: a path prefix, or a glob with captures. */
export type Paths = string | readonly string[];

export interface Place {
  readonly path?: Paths;
  readonly pathNot?: Paths;
}

/** How a file depends on another. A dependency usually has several of these types. */
export const DEPENDENCY_TYPES = [
  "local",
  "aliased",
  "aliased-workspace",
  "npm",
  "npm-dev",
  "npm-peer",
  "npm-optional",
  "npm-bundled",
  "npm-no-pkg",
  "npm-unknown",
  "deprecated",
  "core",
  "unknown",
  "import",
  "export",
  "require",
  "exotic-require",
  "dynamic-import",
  "type-only",
  "pre-compilation-only",
  "annotation",
] as const;
export type DependencyType = (typeof DEPENDENCY_TYPES)[number];

export interface ViaPart extends Place {
  readonly dependencyTypes?: readonly DependencyType[];
  readonly dependencyTypesNot?: readonly DependencyType[];
}

export interface FromPart extends Place {
  /** A file without importers and imports. */
  readonly orphan?: boolean;
}

export interface ToPart extends ViaPart {
  readonly circular?: boolean;
  /** At least one file of the cycle matches. A plain path means `{ path }`. */
  readonly via?: ViaPart | Paths;
  /** Every file of the cycle matches. */
  readonly viaOnly?: ViaPart | Paths;
  /** Short for `viaOnly: { pathNot }`, and for `via: { pathNot }`. */
  readonly viaNot?: Paths;
  readonly viaSomeNot?: Paths;
  /** A package with a matching licence, as a glob such as `GPL-*`. */
  readonly license?: Paths;
  readonly licenseNot?: Paths;
  readonly dynamic?: boolean;
  /** Whether the dependency uses another function than `require`. A glob such as `window.*` names it. */
  readonly exoticallyRequired?: boolean;
  readonly exoticRequire?: Paths;
  readonly exoticRequireNot?: Paths;
  readonly couldNotResolve?: boolean;
  /** Whether the dependency disappears when types are removed, as `import type` does. */
  readonly preCompilationOnly?: boolean;
  readonly moreThanOneDependencyType?: boolean;
  /** Leads to a less stable file or folder. */
  readonly moreUnstable?: boolean;
  /** Leads to a parent folder. */
  readonly ancestor?: boolean;
  /** Can be reached through any number of files. */
  readonly reachable?: boolean;
}

interface ModulePart extends Place {
  readonly numberOfDependentsLessThan?: number;
  readonly numberOfDependentsMoreThan?: number;
}

export type RuleSeverity = "error" | "warning" | "info";

interface Named {
  readonly name: string;
  readonly comment?: string;
  readonly severity?: RuleSeverity;
}

export interface ForbiddenRule extends Named {
  /** Whether the rule is about files or folders. */
  readonly scope?: "module" | "folder";
  readonly from?: FromPart;
  readonly to?: ToPart;
  readonly module?: ModulePart;
}

interface AllowedRule {
  readonly comment?: string;
  readonly from?: FromPart;
  readonly to?: ToPart;
}

export interface RequiredRule extends Named {
  readonly module: Place;
  readonly to: Place & { readonly reachable?: boolean };
}

/** The content of `.waybill/graph/layers.json`. */
export interface LayerRules {
  readonly forbidden?: readonly ForbiddenRule[];
  readonly allowed?: readonly AllowedRule[];
  readonly allowedSeverity?: RuleSeverity;
  readonly required?: readonly RequiredRule[];
  /** Functions that are used like `require`: `need`, `window.require`. */
  readonly exoticRequireStrings?: readonly string[];
}

export interface Violation {
  readonly rule: string;
  readonly severity: RuleSeverity;
  readonly sourceFile: string;
  readonly targetFile: string;
  readonly description: string;
  readonly line?: number;
  /** The path between the two files, if they are not neighbours. */
  readonly via?: readonly string[];
}
