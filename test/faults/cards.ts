import { prepareCard } from "@waybill/core";
import type { Card, CardRouteName, CardRouting, PreparedCard } from "@waybill/core";
import { prepareDocument } from "../../packages/adapters/src/graphql/documents.ts";

/** What is called: the columns of the matrix. */
export const KINDS = [
  "read",
  "idempotent",
  "plain",
  "keyed",
  /** Its card knows how to look whether it happened. */
  "verified",
  /** The same, and not finding it proves that it did not. */
  "authoritative",
  /** A key that the upstream honours as well, on its REST face. */
  "honoured",
] as const;
export type Kind = (typeof KINDS)[number];

/** The routes of a card, the preferred one first. */
export const ROUTINGS = ["rest", "graphql", "rest-graphql", "graphql-rest"] as const;
export type Routing = (typeof ROUTINGS)[number];

const SELECTION = "{id text shelf createdAt}";
const documents = {
  Create: prepareDocument(
    `mutation Create($shelf:String!,$text:String!){createNote(shelf:$shelf,text:$text)${SELECTION}}`,
  ),
  Set: prepareDocument(
    `mutation Set($shelf:String!,$text:String!){setNote(shelf:$shelf,text:$text)${SELECTION}}`,
  ),
  View: prepareDocument(`query View($id:ID!){note(id:$id)${SELECTION}}`),
  List: prepareDocument(`query List($shelf:String!){notes(shelf:$shelf)${SELECTION}}`),
};

const TEXT = { type: "string", minLength: 1 };
const NOTE = { fields: { id: "id", text: "text", createdAt: "createdAt" } } as const;
const NOTE_SCHEMA = {
  type: "object",
  required: ["id", "text"],
  properties: { id: TEXT, text: TEXT, createdAt: TEXT },
};

function inputSchema(...names: string[]): Card["input_schema"] {
  return {
    type: "object",
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, TEXT])),
  };
}

function routing(routes: Routing): CardRouting {
  const [preferred, ...fallbacks] = routes.split("-") as [CardRouteName, ...CardRouteName[]];
  return { preferred, fallbacks };
}

const READ: Omit<Card, "capability_id" | "routing"> = {
  version: "1.0.0",
  description: "Shows a note",
  effect: "read",
  input_schema: inputSchema("id"),
  output_schema: NOTE_SCHEMA,
  graphql: { operationName: "View", documentPath: "View", output: { from: "note", ...NOTE } },
  rest: { method: "GET", path: "/notes/{id}", output: NOTE },
};

const LIST: Card = {
  ...READ,
  capability_id: "note.list",
  description: "Shows what is on a shelf",
  routing: routing("rest-graphql"),
  input_schema: inputSchema("shelf"),
  output_schema: { type: "object", required: ["items"] },
  graphql: {
    operationName: "List",
    documentPath: "List",
    output: { items: { each: "notes", ...NOTE } },
  },
  rest: {
    method: "GET",
    path: "/shelves/{shelf}/notes",
    output: { items: { each: "@", ...NOTE } },
  },
};

const WRITE: Omit<Card, "capability_id" | "routing"> = {
  version: "1.0.0",
  description: "Puts a note on a shelf",
  effect: "write",
  idempotent: false,
  input_schema: inputSchema("shelf", "text"),
  output_schema: NOTE_SCHEMA,
  graphql: {
    operationName: "Create",
    documentPath: "Create",
    output: { from: "createNote", ...NOTE },
  },
  rest: {
    method: "POST",
    path: "/shelves/{shelf}/notes",
    body: { fields: { text: "text" } },
    output: NOTE,
  },
};

const VERIFY: NonNullable<Card["verify"]> = {
  capability: "note.list",
  params: { shelf: "shelf" },
  same: { fields: { text: "text" } },
  created: "createdAt",
};

const CARDS: Readonly<Record<Kind, Omit<Card, "capability_id" | "routing">>> = {
  read: READ,
  idempotent: {
    ...WRITE,
    idempotent: true,
    graphql: { operationName: "Set", documentPath: "Set", output: { from: "setNote", ...NOTE } },
    rest: {
      method: "PUT",
      path: "/shelves/{shelf}/notes/{text}",
      body: { fields: { text: "text" } },
      output: NOTE,
    },
  },
  plain: WRITE,
  keyed: WRITE,
  verified: { ...WRITE, verify: VERIFY },
  authoritative: { ...WRITE, verify: { ...VERIFY, authoritative: true } },
  honoured: { ...WRITE, idempotency_header: "idempotency-key" },
};

/** Two keyed writes in one call. */
const PAIR: Card = {
  capability_id: "pair.steps",
  version: "1.0.0",
  description: "Puts two notes on a shelf",
  effect: "write",
  input_schema: inputSchema("shelf", "text"),
  output_schema: { type: "object", required: ["first", "second"] },
  steps: ["first", "second"].map((id) => ({
    id,
    task: "keyed.rest",
    input: { shelf: { $from: "params.shelf" }, text: { $text: `{{params.text}}-${id}` } },
  })),
  output: { first: "first.data.id", second: "second.data.id" },
};

export function capabilityOf(kind: Kind, routes: Routing): string {
  return `${kind}.${routes}`;
}

/** A card with the parts of its routes and no others. */
function cardFor(kind: Kind, routes: Routing): Card {
  const { rest, graphql, ...others } = CARDS[kind];
  return {
    ...others,
    capability_id: capabilityOf(kind, routes),
    routing: routing(routes),
    ...(routes.includes("rest") && rest !== undefined && { rest }),
    ...(routes.includes("graphql") && graphql !== undefined && { graphql }),
  };
}

/** Every kind on every routing, and the list that a verify reads. */
export function prepareCards(): Promise<PreparedCard[]> {
  const cards = KINDS.flatMap((kind) => ROUTINGS.map((routes) => cardFor(kind, routes)));
  return Promise.all([LIST, PAIR, ...cards].map((card) => prepareCard(card, documents)));
}
