/** The input of an operation whose caller writes the GraphQL document. */
export const OWN_DOCUMENT_INPUT = {
  type: "object",
  required: ["document"],
  properties: {
    document: { type: "string", minLength: 1 },
    variables: { type: "object" },
    operationName: { type: "string" },
  },
  additionalProperties: false,
} as const;
