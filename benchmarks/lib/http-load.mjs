// @ts-check
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const TOKEN = "a-token-for-measuring";
export const ANSWER =
  '{"ok":true,"data":{"id":3,"title":"Item 3"},"error":null,"meta":{"capability_id":"item.view","route_used":"local","reason":"DEFAULT_POLICY"}}';

const program = fileURLToPath(new URL("http-server.mjs", import.meta.url));
const BODY = '{"params":{"id":3}}';

/** @typedef {{ port: number, heapUsed: () => Promise<number>, stop: () => void }} Started */

/** @param {"bare" | "waybill"} kind @returns {Promise<Started>} */
export async function startServer(kind) {
  const execArgv = ["--expose-gc"];
  const child = fork(program, [kind], { execArgv, stdio: ["ignore", "pipe", "inherit", "ipc"] });
  const lines = createInterface({
    input: /** @type {import("node:stream").Readable} */ (child.stdout),
  });
  const line = /** @type {[string]} */ (await once(lines, "line"));
  return {
    port: Number(line[0]),
    async heapUsed() {
      child.send("heap");
      const answer = /** @type {[number]} */ (await once(child, "message"));
      return answer[0];
    },
    stop: () => void child.kill(),
  };
}

/**
 * One connection that sends one request after the other. It uses no HTTP client, because a client
 * takes time too.
 */
class Connection {
  /** @param {number} port */
  constructor(port) {
    this.request = Buffer.from(
      `POST /v1/execute/item.view HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
        `Authorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${BODY.length}\r\n\r\n${BODY}`,
    );
    this.port = port;
    this.received = "";
    /** @type {(isRight: boolean) => void} */
    this.answered = Boolean;
    this.socket = this.#connect();
  }

  #connect() {
    const socket = connect({ port: this.port, host: "127.0.0.1", noDelay: true });
    socket.setEncoding("latin1");
    socket.on("data", (/** @type {string} */ text) => this.#receive(text));
    socket.on("error", () => {});
    socket.on("close", () => {
      if (this.socket === socket) this.answered(false);
    });
    return socket;
  }

  /** @param {string} text */
  #receive(text) {
    this.received += text;
    const end = this.received.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.received)?.[1]);
    if (this.received.length < end + 4 + length) return;
    const body = this.received.slice(end + 4, end + 4 + length);
    this.received = this.received.slice(end + 4 + length);
    this.answered(body === ANSWER);
  }

  /** @returns {Promise<boolean>} whether the answer was the right one */
  ask() {
    // A server closes idle connections.
    if (this.socket.destroyed) this.socket = this.#connect();
    return new Promise((resolve) => {
      this.answered = resolve;
      this.socket.write(this.request);
    });
  }
}

/**
 * Opens connections that send requests in parallel. Counts correct answers.
 * @param {number} port
 * @param {number} connections
 */
export function openLoad(port, connections) {
  const all = Array.from({ length: connections }, () => new Connection(port));
  /** @param {() => boolean} goesOn */
  const run = async (goesOn) => {
    let right = 0;
    const askOn = async (/** @type {Connection} */ connection) => {
      while (goesOn()) if (await connection.ask()) right += 1;
    };
    await Promise.all(all.map(askOn));
    return right;
  };
  return { run, close: () => all.forEach(({ socket }) => socket.destroy()) };
}
