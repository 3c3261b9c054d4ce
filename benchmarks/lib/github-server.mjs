// @ts-check
// The embedded GitHub in a separate process, so that it does not share an event loop with the
// measured code.
import { startGithubEmulator } from "@waybill/github/emulator";

const [socket] = process.argv.slice(2);
const github = await startGithubEmulator({
  rateLimits: { core: 1e9, graphql: 1e9, search: 1e9 },
  ...(socket === undefined ? {} : { socket }),
});
process.send?.({ url: github.url, env: github.env });
process.once("disconnect", () => void github.close().then(() => process.exit(0)));
