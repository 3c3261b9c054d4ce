export { NO_ANNOTATIONS } from "./annotation.ts";
export type { Annotations, Ignore } from "./annotation.ts";
export { filesMatching, withAnnotations } from "./overlay.ts";
export { ANNOTATIONS_FILE, changeAnnotations, loadAnnotations } from "./store.ts";
