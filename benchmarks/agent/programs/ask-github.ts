import { request } from "node:http";
import { text } from "node:stream/consumers";
import { DEADLINE_MS, DeadlineError } from "./deadline.ts";

export interface Asked {
  status: number;
  body: string;
}

const TOKEN = "waybill-octocat";

export interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly token?: string;
}

async function githubAnswer(
  socketPath: string,
  { method, path, body, token = TOKEN }: Question,
  signal: AbortSignal,
): Promise<Asked> {
  const headers = {
    host: "api.github.com",
    authorization: `token ${token}`,
    "content-type": "application/json",
    accept: "application/vnd.github+json",
  };
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path, headers, signal }, (answer) => {
      const { location } = answer.headers;
      // Logs are on another host, which must not get the token.
      const read =
        location === undefined ? text(answer) : fetch(location, { signal }).then((it) => it.text());
      const status = location === undefined ? (answer.statusCode ?? 0) : 200;
      read.then((whole) => resolve({ status, body: whole }), reject);
    });
    sent.once("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/**
 * Sends one request to the embedded GitHub through its socket. Rejects if the connection breaks.
 */
export async function askGithub(
  socketPath: string,
  question: Question,
  deadlineMs = DEADLINE_MS,
): Promise<Asked> {
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    return await githubAnswer(socketPath, question, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new DeadlineError(`${question.method} ${question.path}`, deadlineMs);
  }
}
