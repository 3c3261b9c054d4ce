/** A package.json of the tree. */
export interface Manifest {
  /** Relative to the root. */
  readonly path: string;
  readonly name?: string;
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  readonly peerDependencies: readonly string[];
  readonly optionalDependencies: readonly string[];
  /** Listed elsewhere as well, and shipped inside the package. */
  readonly bundledDependencies: readonly string[];
}

/** Every package that it lists for whatever use. */
export function listedPackages(manifest: Manifest): string[] {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest;
  return [...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies];
}
