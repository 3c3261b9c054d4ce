import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Book {
  readonly id: number;
  readonly title: string;
  readonly tags?: readonly string[];
}

const PICTURE = Buffer.from("89504e470d0a1a0a", "hex");

/** The API that `api.yaml` describes. */
export class Library {
  readonly books: Book[] = ["Dune", "Emma", "Ulysses"].map((title, index) => ({
    id: index + 1,
    title,
  }));
  readonly requests: string[] = [];
  readonly #server: Server = createServer(
    (request, response) => void this.#serve(request, response),
  );

  async start(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://library");
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    if (request.headers["x-library-card"] !== "card-7")
      sendJson(response, 401, { message: "No card" });
    else if (url.pathname.endsWith("/cover"))
      response.writeHead(200, { "content-type": "image/png" }).end(PICTURE);
    else if (request.method === "POST") await this.#add(request, response);
    else this.#list(url, response);
  }

  #list({ searchParams }: URL, response: ServerResponse): void {
    const page = Number(searchParams.get("page") ?? 1);
    const size = Number(searchParams.get("per_page") ?? 2);
    const isLast = page * size >= this.books.length;
    const link = `</v1/books?page=${page + 1}&per_page=${size}>; rel="next"`;
    sendJson(
      response,
      200,
      this.books.slice((page - 1) * size, page * size),
      isLast ? {} : { link },
    );
  }

  async #add(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const given = JSON.parse(Buffer.concat(chunks).toString()) as Omit<Book, "id">;
    if (this.books.some(({ title }) => title === given.title)) {
      sendJson(response, 409, { message: "We have that one", title: given.title });
      return;
    }
    const book = { ...given, id: this.books.length + 1 };
    this.books.push(book);
    sendJson(response, 201, book);
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
