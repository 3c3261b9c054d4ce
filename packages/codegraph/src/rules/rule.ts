/** One pattern or several, of which one must match: a path prefix, or a glob with captures. */
export type Paths = string | readonly string[];

export interface Place {
  readonly path?: Paths;
  readonly pathNot?: Paths;
}

/** How a file depends on another; a dependency usually has more than one of these. */
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
  /** Nothing imports it and it imports nothing. */
  readonly orphan?: boolean;
}

export interface ToPart extends ViaPart {
  readonly circular?: boolean;
  /** Some file of the circle matches; paths alone are short for `{ path }`. */
  readonly via?: ViaPart | Paths;
  /** Every file of the circle matches. */
  readonly viaOnly?: ViaPart | Paths;
  /** Short for `viaOnly: { pathNot }`, and for `via: { pathNot }`. */
  readonly viaNot?: Paths;
  readonly viaSomeNot?: Paths;
  /** A package whose licence matches, or has one that does not: a glob such as `GPL-*`. */
  readonly license?: Paths;
  readonly licenseNot?: Paths;
  readonly dynamic?: boolean;
  /** By a function that stands for `require`, and by which: a glob such as `window.*`. */
  readonly exoticallyRequired?: boolean;
  readonly exoticRequire?: Paths;
  readonly exoticRequireNot?: Paths;
  readonly couldNotResolve?: boolean;
  /** Gone once types are: `import type` and the like. */
  readonly preCompilationOnly?: boolean;
  readonly moreThanOneDependencyType?: boolean;
  /** Leads to what changes more easily. */
  readonly moreUnstable?: boolean;
  /** Leads to a folder above. */
  readonly ancestor?: boolean;
  /** Through any number of files. */
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
  /** Whether it is about files or about the folders they are in. */
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

/** The allowed dependencies, as `.waybill/graph/layers.json` states them. */
export interface LayerRules {
  readonly forbidden?: readonly ForbiddenRule[];
  readonly allowed?: readonly AllowedRule[];
  readonly allowedSeverity?: RuleSeverity;
  readonly required?: readonly RequiredRule[];
  /** Functions that load files as `require` does: `need`, `window.require`. */
  readonly exoticRequireStrings?: readonly string[];
}

export interface Violation {
  readonly rule: string;
  readonly severity: RuleSeverity;
  readonly sourceFile: string;
  readonly targetFile: string;
  readonly description: string;
  readonly line?: number;
  /** The way, where the two are not neighbours. */
  readonly via?: readonly string[];
}
