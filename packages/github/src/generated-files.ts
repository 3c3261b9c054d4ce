/** Where what `npm run generate` and `npm run pack-description` write is, beside the code. */
export const GENERATED = new URL("../generated/", import.meta.url);
