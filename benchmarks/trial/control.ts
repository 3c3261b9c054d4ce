import { request } from "node:http";
import { text } from "node:stream/consumers";
import type { TrialFolder } from "./folder.ts";

const MOST_MS = 120_000;

/** Sends a request to the process that runs the GitHub of a trial. */
export function askControl({ control }: TrialFolder, path: string): Promise<string> {
  const signal = AbortSignal.timeout(MOST_MS);
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: control, path, signal }, (answer) => {
      text(answer).then(resolve, reject);
    });
    sent.once("error", reject);
    sent.end();
  });
}
