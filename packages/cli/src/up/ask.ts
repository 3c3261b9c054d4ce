import { request } from "node:http";
import type { UpStatus } from "./wire.ts";

/** Asks the process of `waybill up` for its status, or to stop; undefined if there is none. */
export function askUp(
  socketPath: string,
  method: "GET" | "POST",
  path: string,
): Promise<UpStatus | undefined> {
  return new Promise((resolve) => {
    const asking = request({ socketPath, method, path }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => (text += piece));
      response.on("end", () => {
        const isThere = response.statusCode === 200;
        resolve(isThere ? (JSON.parse(text) as UpStatus) : undefined);
      });
    });
    asking.on("error", () => resolve(undefined));
    asking.end();
  });
}
