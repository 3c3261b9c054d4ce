import { prepareCard } from "@waybill/core/cards";
import type { Card } from "@waybill/core";
import type { CardLookup, CardRouteName, CardRouting, PreparedCard } from "@waybill/core/cards";
import { prepareDocument } from "../../packages/adapters/src/graphql/documents.ts";
import { ABSENT } from "./store.ts";

/** The kinds of operations that are called. They are the columns of the fault matrix. */
export const KINDS = [
  "read",
  "idempotent",
  "plain",
  "keyed",
  /** The card has a probe that finds out whether the write was applied. */
  "verified",
  /** The card has a probe. If the probe finds nothing, the write was not applied. */
  "authoritative",
  /** As `authoritative`, and the probe also runs before the write. */
  "watched",
  /** As `authoritative`, and the object that the probe finds must belong to the caller. */
  "signed",
  /** Makes a lookup before the write is sent. */
  "looked-up",
  /** Makes a lookup for each item of a list before the write is sent. */
  "listed",
  /** Makes a lookup. "Not found" is a valid result of the lookup and leads to another note. */
  "optional",
  /** The upstream also honours the idempotency key, on its REST API. */
  "honoured",
] as const;
export type Kind = (typeof KINDS)[number];

/**
 * The routes of a card, the preferred one first. `cli` sends the request of another route with
 * `gh`.
 */
export const ROUTINGS = [
  "rest",
  "graphql",
  "rest-graphql",
  "graphql-rest",
  "cli",
  "cli-rest",
  "cli-graphql",
] as const;
export type Routing = (typeof ROUTINGS)[number];

export function isByGh(routes: Routing): boolean {
  return routes.startsWith("cli");
}

const SELECTION = "{id text shelf author createdAt}";
const documents = {
  Create: prepareDocument(
    `mutation Create($shelf:String!,$text:String!){createNote(shelf:$shelf,text:$text)${SELECTION}}`,
  ),
  Set: prepareDocument(
    `mutation Set($shelf:String!,$text:String!){setNote(shelf:$shelf,text:$text)${SELECTION}}`,
  ),
  View: prepareDocument(`query View($id:ID!){note(id:$id)${SELECTION}}`),
  List: prepareDocument(
    `query List($shelf:String!){notes(shelf:$shelf){nodes${SELECTION} pageInfo{hasNextPage}}}`,
  ),
  Shelf: prepareDocument("query Shelf($name:String!){shelfOf(name:$name){id}}"),
};

const TEXT = { type: "string", minLength: 1 };
const NOTE = {
  fields: { id: "id", text: "text", author: "author", createdAt: "createdAt" },
} as const;
const NOTE_SCHEMA = {
  type: "object",
  required: ["id", "text"],
  properties: { id: TEXT, text: TEXT, author: TEXT, createdAt: TEXT },
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

const LIST: Omit<Card, "capability_id" | "routing"> = {
  ...READ,
  description: "Shows what is on a shelf",
  input_schema: inputSchema("shelf"),
  output_schema: { type: "object", required: ["items"] },
  graphql: {
    operationName: "List",
    documentPath: "List",
    output: {
      items: { each: "notes.nodes", ...NOTE },
      pageInfo: { fields: { hasNextPage: "notes.pageInfo.hasNextPage" } },
    },
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

/** A write that creates its note from the result of a lookup. */
function readWrite(text: string): Omit<Card, "capability_id" | "routing"> {
  return {
    ...WRITE,
    graphql: {
      operationName: "Create",
      documentPath: "Create",
      variables: { fields: { shelf: "shelf", text } },
      output: { from: "createNote", ...NOTE },
    },
    rest: {
      method: "POST",
      path: "/shelves/{shelf}/notes",
      body: { fields: { text } },
      output: NOTE,
    },
  };
}

/** The probe uses the route of the write. */
function listFor(routes: Routing): string {
  return isByGh(routes) ? "note.list-by-gh" : "note.list";
}

const LISTS: readonly Card[] = [
  { ...LIST, capability_id: "note.list", routing: routing("rest-graphql") },
  { ...LIST, capability_id: "note.list-by-gh", routing: routing("cli-rest"), cli: { use: "rest" } },
];

const VERIFY: Omit<NonNullable<Card["verify"]>, "capability"> = {
  params: { shelf: "shelf" },
  same: { fields: { text: "text" } },
  created: "createdAt",
};

type Verify = NonNullable<Card["verify"]>;
const VERIFIES: Partial<Record<Kind, Omit<Verify, "capability">>> = {
  verified: VERIFY,
  authoritative: { ...VERIFY, authoritative: true },
  watched: { ...VERIFY, authoritative: true, before: "id" },
  signed: {
    ...VERIFY,
    same: { fields: { text: "text", author: "viewer" } },
    authoritative: true,
  },
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
  verified: WRITE,
  authoritative: WRITE,
  watched: WRITE,
  signed: WRITE,
  "looked-up": {
    ...WRITE,
    graphql: {
      operationName: "Create",
      documentPath: "Create",
      variables: { fields: { shelf: "lookup.shelf", text: "text" } },
      output: { from: "createNote", ...NOTE },
    },
    rest: {
      method: "POST",
      path: "/shelves/{shelf}/notes",
      body: { fields: { text: "text", shelf: "lookup.shelf" } },
      output: NOTE,
    },
  },
  listed: {
    ...readWrite("lookup.found[1]"),
    input_schema: {
      type: "object",
      required: ["shelf", "texts"],
      properties: { shelf: TEXT, texts: { type: "array", items: TEXT } },
    },
  },
  optional: {
    ...readWrite("lookup.found && text || otherwise"),
    input_schema: inputSchema("shelf", "text", "otherwise"),
  },
  honoured: { ...WRITE, idempotency_header: "idempotency-key" },
};

/** The viewer, for objects that must belong to the caller. */
export const VIEWER = { capability: "viewer.view", field: "login" };
const VIEWER_CARD: Card = {
  capability_id: VIEWER.capability,
  version: "1.0.0",
  description: "Shows who calls",
  effect: "read",
  input_schema: inputSchema(),
  output_schema: { type: "object", required: ["login"], properties: { login: TEXT } },
  routing: routing("rest"),
  rest: { method: "GET", path: "/viewer", output: { fields: { login: "login" } } },
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

export function getCapability(kind: Kind, routes: Routing): string {
  return `${kind}.${routes}`;
}

/** The params of a call that writes this note. The shelf may not exist. */
export function paramsFor(kind: Kind, marker: string, isAbsent: boolean): object {
  const other = `not-${marker}`;
  if (kind === "read") return { id: marker };
  if (kind === "listed") return { shelf: marker, texts: [other, marker] };
  if (kind !== "optional") return { shelf: marker, text: marker };
  return isAbsent
    ? { shelf: `${ABSENT}${marker}`, text: other, otherwise: marker }
    : { shelf: marker, text: marker, otherwise: other };
}

function askFor(name: string, routes: Routing): CardLookup {
  return routes.includes("graphql")
    ? { document: "Shelf", variables: { name }, value: "shelfOf.id" }
    : { path: `/lookups/{${name}}`, value: "id" };
}

function lookupsFor(kind: Kind, routes: Routing): Card["lookup"] {
  if (kind === "looked-up") return { shelf: askFor("shelf", routes) };
  if (kind === "listed") return { found: { ...askFor("$item", routes), each: "texts" } };
  if (kind === "optional") return { found: { ...askFor("shelf", routes), optional: true } };
  return undefined;
}

/** A card with only the parts of its routes, and the request that `gh` sends. */
function cardFor(kind: Kind, routes: Routing): Card {
  const { rest, graphql, ...others } = CARDS[kind];
  const hasGraphql = routes.includes("graphql");
  const hasRest = routes.includes("rest") || !hasGraphql;
  const verify = VERIFIES[kind];
  const lookup = lookupsFor(kind, routes);
  return {
    ...others,
    capability_id: getCapability(kind, routes),
    routing: routing(routes),
    ...(hasRest && rest !== undefined && { rest }),
    ...(hasGraphql && graphql !== undefined && { graphql }),
    ...(isByGh(routes) && { cli: { use: hasGraphql ? ("graphql" as const) : ("rest" as const) } }),
    ...(verify !== undefined && { verify: { ...verify, capability: listFor(routes) } }),
    ...(lookup !== undefined && { lookup }),
  };
}

/** Every kind of operation with every order of routes, and the reads of the probes. */
export function prepareCards(): Promise<PreparedCard[]> {
  const cards = KINDS.flatMap((kind) => ROUTINGS.map((routes) => cardFor(kind, routes)));
  return Promise.all(
    [...LISTS, VIEWER_CARD, PAIR, ...cards].map((card) => prepareCard(card, documents)),
  );
}
