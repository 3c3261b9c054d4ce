import { addComment, commitOnBranch, createIssue, octoWorld } from "@waybill/github/emulator";
import type { Store, World } from "@waybill/github/emulator";
import { addFerry } from "./ferry.ts";

/** Enough issues for three pages of a hundred, and enough commits and comments for two pages. */
const ISSUES = 240;
const COMMITS = 130;
const COMMENTS = 120;
const PLACES = ["harbour", "lighthouse", "bridge", "station", "market", "river"] as const;
const NOW = Date.UTC(2026, 0, 15, 12);

/** A clock that advances one second per reading, so that times are always in order. */
export function steadyClock(): () => Date {
  let readings = 0;
  return () => new Date(NOW + 1_000 * readings++);
}

type User = Store["users"][number];
type Repository = Store["repositories"][number];

/** Creates titles such as `lighthouse, sheet 3`. */
function sheet(index: number): readonly [place: string, number: number] {
  return [PLACES[index % PLACES.length] ?? "", Math.floor(index / PLACES.length) + 1];
}

function addMaps(store: Store, octocat: User, atlas: Repository): void {
  for (let index = 0; index < ISSUES; index += 1) {
    const [place, number] = sheet(index);
    const title = `Map the ${place}, sheet ${number}`;
    const body = `The ${place} is drawn at 1:5000, with contours every five metres.`;
    createIssue(store, octocat, atlas, { title, body });
  }
}

function addCommits(store: Store, octocat: User, atlas: Repository): void {
  for (let index = 0; index < COMMITS; index += 1) {
    const message = `Survey the ${sheet(index).join(", sheet ")}`;
    const additions = new Map([["survey.md", Buffer.from(`${message}\n`)]]);
    commitOnBranch(store, octocat, atlas, {
      branch: atlas.defaultBranch,
      message,
      edits: { additions, deletions: [] },
    });
  }
}

function addComments(store: Store, octocat: User, atlas: Repository): void {
  const first = atlas.issues.get(1);
  if (first === undefined) throw new Error("The small world has changed");
  for (let index = 0; index < COMMENTS; index += 1) {
    addComment(store, octocat, first, `The ${sheet(index).join(", sheet ")}, is drawn.`);
  }
}

function addMuch(store: Store): void {
  const octocat = store.users.find(({ login }) => login === "octocat");
  const atlas = store.repositories.find(({ name }) => name === "atlas");
  if (octocat === undefined || atlas === undefined) throw new Error("The small world has changed");
  addMaps(store, octocat, atlas);
  addCommits(store, octocat, atlas);
  addComments(store, octocat, atlas);
  const people = ["octocat", "monalisa", "hubot"].flatMap((login) =>
    store.users.filter((user) => user.login === login),
  );
  addFerry(store, people);
}

/** The small world of the embedded GitHub, with two additional large repositories. */
export const benchWorld: World = (store) => {
  const tokens = octoWorld(store);
  store.during(steadyClock(), () => addMuch(store));
  return tokens;
};
