export { exoticRequires, FUNCTION_NAME, MAX_FUNCTIONS, RULES_FILE } from "./exotic-requires.ts";
