export { openLimits } from "./limit-file.ts";
