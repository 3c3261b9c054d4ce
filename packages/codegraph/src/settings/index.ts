export { exoticRequires, isFunctionName, MAX_FUNCTIONS, RULES_FILE } from "./exotic-requires.ts";
