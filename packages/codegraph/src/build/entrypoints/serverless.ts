import type { Extraction } from "../symbols/extract/extraction.ts";
import type { CallSite } from "./call-site.ts";
import type { FileExport } from "./file-exports.ts";

export const FUNCTION_CALLS = ["http", "cloudEvent", "onRequest", "onCall", "onSchedule"];

/** Functions that are registered with a cloud platform. */
export function cloudFunction(site: CallSite): void {
  const from = site.origin()?.specifier ?? "";
  if (
    from === "@google-cloud/functions-framework" &&
    (site.name === "http" || site.name === "cloudEvent")
  ) {
    site.register("route", site.text(0) ?? "(function)", from, -1);
  } else if (from.startsWith("firebase-functions") && site.name.startsWith("on")) {
    const isClock = site.name === "onSchedule";
    site.register(isClock ? "job" : "route", site.text(0) ?? site.name, "firebase", -1);
  }
}

const PLATFORM_FOLDERS = /(?:^|\/)(?:netlify\/functions|lambdas?|functions|handlers)\//;

/** AWS Lambda calls an exported `handler`, if the types or the folder indicate it. */
export function lambdaHandler(x: Extraction, path: string, exports: readonly FileExport[]): void {
  const isLambda = x.writer.hasText("aws-lambda") || PLATFORM_FOLDERS.test(path);
  if (!isLambda) return;
  for (const found of exports) {
    if (found.name === "handler")
      x.entrypoint({ kind: "route", name: path, framework: "serverless", ...found.place });
  }
}

/** Recognises an edge worker: `export default { fetch() {} }`. */
export function edgeWorker(x: Extraction, path: string, exports: readonly FileExport[]): void {
  for (const { name, symbol, place } of exports) {
    if (name !== "default" || symbol < 0) continue;
    const members = x.childrenOf(symbol);
    if (members.includes("fetch")) {
      x.entrypoint({ kind: "route", name: `fetch ${path}`, framework: "worker", ...place });
    }
    if (members.includes("scheduled")) {
      x.entrypoint({ kind: "job", name: `scheduled ${path}`, framework: "worker", ...place });
    }
  }
}
