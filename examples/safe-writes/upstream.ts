// An API with issues and comments that can lose a response: it applies the write and then closes the
// connection, so the caller does not know whether the write was applied.
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Issue {
  readonly number: number;
  readonly title: string;
  readonly user: string;
  readonly created_at: string;
}

export class Upstream {
  readonly issues: Issue[] = [];
  readonly comments: string[] = [];
  /** How many of the next writes are applied but not answered. */
  losesAnswers = 0;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const data = request.method === "GET" ? this.issues : this.#write(request.url ?? "", text);
    if (request.method !== "GET" && this.losesAnswers > 0) {
      this.losesAnswers -= 1;
      response.destroy();
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(data));
  }

  #write(url: string, text: string): object {
    const { title = "", body = "" } = JSON.parse(text) as { title?: string; body?: string };
    if (url.endsWith("/comments")) return { id: this.comments.push(body), body };
    const issue = {
      number: this.issues.length + 1,
      title,
      user: "ada",
      created_at: new Date().toISOString(),
    };
    this.issues.push(issue);
    return issue;
  }
}
