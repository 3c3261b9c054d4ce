export { exoticRequires, isFunctionName, MAX_FUNCTIONS, RULES_FILE } from "./exotic-requires.ts";
export { CACHE_FOLDER, readOwnFile } from "./own-file.ts";
