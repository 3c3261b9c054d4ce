// A tiny stand-in for GitHub: a GraphQL endpoint that knows one repository.
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Variables {
  readonly owner: string;
  readonly name: string;
}

const repository = {
  id: "R_1",
  nameWithOwner: "octo/hello",
  isPrivate: false,
  description: "A demo",
};

function view({ owner, name }: Variables): object {
  if (`${owner}/${name}` === repository.nameWithOwner) return { data: { repository } };
  const message = `Could not resolve to a Repository with the name '${owner}/${name}'.`;
  const errors = [{ type: "NOT_FOUND", path: ["repository"], message }];
  return { data: { repository: null }, errors };
}

async function answerRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  const { variables } = JSON.parse(text) as { variables: Variables };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(view(variables)));
}

export interface Upstream {
  readonly url: string;
  close(): void;
}

export async function startUpstream(): Promise<Upstream> {
  const server = createServer((request, response) => void answerRequest(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
