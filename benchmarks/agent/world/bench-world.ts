import { createIssue, octoWorld } from "@waybill/github/emulator";
import type { Store, World } from "@waybill/github/emulator";

/** Enough open issues for three pages of a hundred. */
const MANY = 240;
const PLACES = ["harbour", "lighthouse", "bridge", "station", "market", "river"] as const;
const NOW = Date.UTC(2026, 0, 15, 12);

/** Time stands still but for a second with each reading, so that orders by time are orders. */
export function steadyClock(): () => Date {
  let readings = 0;
  return () => new Date(NOW + 1_000 * readings++);
}

function addMaps(store: Store): void {
  const octocat = store.users.find(({ login }) => login === "octocat");
  const atlas = store.repositories.find(({ name }) => name === "atlas");
  if (octocat === undefined || atlas === undefined) throw new Error("The small world has changed");
  for (let index = 0; index < MANY; index += 1) {
    const place = PLACES[index % PLACES.length] ?? "";
    const title = `Map the ${place}, sheet ${Math.floor(index / PLACES.length) + 1}`;
    const body = `The ${place} is drawn at 1:5000, with contours every five metres.`;
    createIssue(store, octocat, atlas, { title, body });
  }
}

/** The small world of the embedded GitHub, and a repository with many issues. */
export const benchWorld: World = (store) => {
  const tokens = octoWorld(store);
  store.during(steadyClock(), () => addMaps(store));
  return tokens;
};
