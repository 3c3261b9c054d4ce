import { request } from "node:http";
import { text } from "node:stream/consumers";

export interface Asked {
  status: number;
  body: string;
}

const TOKEN = "waybill-octocat";

/** One request to the embedded GitHub behind a socket. Rejects where the connection breaks. */
export function askGithub(
  socketPath: string,
  method: string,
  path: string,
  sentBody?: unknown,
  accept = "application/vnd.github+json",
): Promise<Asked> {
  const headers = {
    host: "api.github.com",
    authorization: `token ${TOKEN}`,
    "content-type": "application/json",
    accept,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path, headers }, (answer) => {
      const { location } = answer.headers;
      // Logs are on another host, which must not see the token.
      const read = location === undefined ? text(answer) : fetch(location).then((it) => it.text());
      const status = location === undefined ? (answer.statusCode ?? 0) : 200;
      read.then((body) => resolve({ status, body }), reject);
    });
    sent.once("error", reject);
    sent.end(sentBody === undefined ? undefined : JSON.stringify(sentBody));
  });
}
