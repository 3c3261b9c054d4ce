// A pack is a function that returns a source. The cards say what is sent; the code says where to.
import { fileURLToPath } from "node:url";
import { loadCards } from "@waybill/adapters/cards";
import { createHttpTransport, restRoute } from "@waybill/adapters/http";
import { defineOperation, localSource } from "@waybill/core";
import { cardOperation } from "@waybill/core/cards";

const CARDS = fileURLToPath(new URL("./cards", import.meta.url));

/** A capability that sends no request is a plain function. */
const shout = defineOperation({
  id: "greeting.shout",
  description: "Make a greeting louder",
  effect: "read",
  input: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
  output: { type: "string" },
  handler: ({ text }) => `${text.toUpperCase()}!`,
});

/** @param {{ baseUrl: string, token?: () => Promise<string | undefined> }} options */
export async function helloSource({ baseUrl, token }) {
  const { cards, problems } = await loadCards(CARDS);
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join("\n"));
  const transport = createHttpTransport();
  const route = restRoute({
    baseUrl,
    transport,
    userAgent: "waybill-pack-hello",
    ...(token && { token }),
  });
  const operations = cards.map((card) => cardOperation(card, { routes: [route] }));
  return localSource("hello", [...operations, shout]);
}
