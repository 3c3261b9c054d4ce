/** A package.json of the tree. */
export interface Manifest {
  /** The path relative to the root. */
  readonly path: string;
  readonly name?: string;
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  readonly peerDependencies: readonly string[];
  readonly optionalDependencies: readonly string[];
  /** Packages that are published inside the package. They are also listed elsewhere. */
  readonly bundledDependencies: readonly string[];
}

/** Every package that the manifest lists, for any use. */
export function listedPackages(manifest: Manifest): string[] {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest;
  return [...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies];
}
