export { exoticRequires, isFunctionName, MAX_FUNCTIONS, RULES_FILE } from "./exotic-requires.ts";
export { readOwnFile } from "./own-file.ts";
