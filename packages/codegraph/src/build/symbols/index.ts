export { extractSymbols } from "./extract/extract.ts";
export { exportedNames, getStars, surfaceChange } from "./facts/surface-change.ts";
export type { FileSymbolData } from "./facts/symbol-facts.ts";
export { assembleFiles, assembleSymbols, symbolStarts } from "./link/assemble.ts";
export { renumberLinks } from "./link/file-links.ts";
export type { FileLinks } from "./link/file-links.ts";
export { Mounts } from "./link/mounts.ts";
export { SymbolLinker } from "./link/linker.ts";
export { extractGo, extractNamed, extractPython } from "./trees/index.ts";
