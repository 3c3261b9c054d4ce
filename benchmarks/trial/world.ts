import type { Store } from "@waybill/github/emulator";
import type { Person, Seeder } from "./seeder.ts";

const PEOPLE: readonly Person[] = ["octocat", "monalisa", "hubot"];
const PLACES = ["harbour", "lighthouse", "bridge", "station", "market", "river"];
const FERRY = "octo/ferry";
const ATLAS = "octo/atlas";

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError("An empty list has no item");
  return item;
}

/** A day in the autumn of 2025. A larger index gives a later day. */
function day(index: number): string {
  return new Date(Date.UTC(2025, 8, 2 + index)).toISOString().slice(0, 10);
}

/** A long text, like users' reports. An answer that contains all of it costs many tokens. */
function reportText(topic: string, index: number): string {
  const steps = Array.from(
    { length: 4 + (index % 5) },
    (_, step) => `${step + 1}. Open the ${topic} page, wait ${step + 2} seconds and press refresh.`,
  );
  return [
    `The ${topic} page does not do what its help says.`,
    "### Steps",
    ...steps,
    "### Expected",
    `The list of the ${topic} shows all departures of the day, with delays in minutes.`,
    "### Environment",
    `Version 1.${index % 4}.0, Linux, Node 20.${index % 10}.0, Europe/Berlin.`,
  ].join("\n");
}

async function makeFerry(seed: Seeder): Promise<void> {
  const facts = { name: "ferry", description: "Timetables of ferries", auto_init: true };
  await seed.send("POST", "/orgs/octo/repos", facts);
  for (const [name, color] of [
    ["defect", "b60205"],
    ["stale", "cccccc"],
    ["blocked", "5319e7"],
    ["timetable", "0e8a16"],
    ["needs info", "fbca04"],
  ] as const) {
    await seed.label(FERRY, name, color);
  }
  for (const title of ["1.3", "1.4"]) {
    await seed.send("POST", `/repos/${FERRY}/milestones`, { title });
  }
  await seed.file(FERRY, "main", "package.json", '{ "name": "ferry", "version": "1.2.3" }\n');
  for (let index = 0; index < 24; index += 1) {
    const note = index % 7 === 3 ? "// TODO: handle daylight saving time\n" : "";
    const text = `${note}export const line${index} = ${index};\n`;
    await seed.file(FERRY, "main", `src/line-${index}.ts`, text);
  }
}

const TOPICS = ["timetable", "ticket", "berth", "weather", "login", "delay", "crew", "map"];

async function ferryIssue(seed: Seeder, index: number): Promise<void> {
  const topic = pick(TOPICS, index);
  const labels = [
    ...(index % 3 === 0 ? ["bug"] : []),
    ...(index % 5 === 2 ? ["defect"] : []),
    ...(index % 3 === 1 ? ["stale"] : []),
    ...(topic === "timetable" ? ["timetable"] : []),
    ...(index % 11 === 4 ? ["blocked"] : []),
  ];
  const assignees = index % 4 === 0 ? [pick(["octocat", "monalisa"], index / 4)] : [];
  const milestone = index % 8 === 5 ? 1 : index % 8 === 6 ? 2 : undefined;
  const title = `${pick(["Wrong", "Slow", "Missing", "Confusing"], index)} ${topic} ${index + 1}`;
  const body = reportText(topic, index);
  seed.clock.set(day(index));
  const facts = { title, body };
  const number = await seed.issue(FERRY, facts, pick(PEOPLE, index));
  const more = { labels, assignees, ...(milestone && { milestone }) };
  await seed.send("PATCH", `/repos/${FERRY}/issues/${number}`, more);
  for (let count = 0; count < ((index * (index + 1)) / 2) % 4; count += 1) {
    await seed.comment(FERRY, number, `Seen too, ${count + 1}.`, pick(PEOPLE, index + count + 1));
  }
  if (index % 9 === 7) await seed.close(FERRY, number);
  if (index % 13 === 9) await seed.close(FERRY, number, "not_planned");
}

async function ferryPull(seed: Seeder, index: number): Promise<void> {
  const branch = `${pick(["feature", "fix", "docs"], index)}/change-${index}`;
  await seed.branch(FERRY, branch);
  await seed.file(FERRY, branch, `docs/change-${index}.md`, `Change ${index}\n`);
  if (index % 4 === 1) await seed.file(FERRY, branch, `src/new-${index}.ts`, "export {};\n");
  const title = `${pick(["Add", "Fix", "Explain"], index)} ${pick(TOPICS, index + 3)} part ${index}`;
  const facts = { title, head: branch, base: "main", body: "", draft: index === 8 };
  const number = await seed.pull(FERRY, facts, pick(["octocat", "monalisa"], index));
  if (index % 3 === 0) await seed.review(FERRY, number, "APPROVE", "hubot");
  if (index % 5 === 2) await seed.review(FERRY, number, "REQUEST_CHANGES", "hubot");
  if (index % 2 === 0 && index < 12 && index !== 8) {
    await seed.send("PUT", `/repos/${FERRY}/pulls/${number}/merge`, { merge_method: "squash" });
  }
  if (index === 11)
    await seed.send("PATCH", `/repos/${FERRY}/pulls/${number}`, { state: "closed" });
}

async function ferryReleases(seed: Seeder): Promise<void> {
  const releases = [
    { tag_name: "v1.0.0", name: "1.0.0", body: "First." },
    { tag_name: "v1.1.0", name: "1.1.0", body: "Tickets." },
    { tag_name: "v1.2.3", name: "1.2.3", body: "Fixes." },
    { tag_name: "v1.3.0-rc.1", name: "1.3.0 RC 1", prerelease: true },
    { tag_name: "v1.3.0", name: "1.3.0", draft: true },
  ];
  for (const release of releases) await seed.send("POST", `/repos/${FERRY}/releases`, release);
}

async function fillAtlas(seed: Seeder): Promise<void> {
  for (let index = 0; index < 130; index += 1) {
    const place = pick(PLACES, index);
    const title = `Map the ${place}, sheet ${Math.floor(index / PLACES.length) + 1}`;
    seed.clock.set(day(60 + index / 3));
    const number = await seed.issue(ATLAS, { title, body: reportText(place, index) });
    if (index % 10 === 3) await seed.comment(ATLAS, number, "Surveyed.", "monalisa");
    if (index % 12 === 5) await seed.close(ATLAS, number);
  }
  for (const name of ["sheet/old-1", "sheet/old-2", "sheet/old-3", "sheet/new"]) {
    await seed.branch(ATLAS, name);
  }
}

/** The emulator's REST API has no invitations, so this changes its store. */
function invite({ repositories, users }: Store): void {
  const ferry = repositories.find(({ name }) => name === "ferry");
  const person = (login: Person) => users.find((user) => user.login === login);
  const [monalisa, hubot] = [person("monalisa"), person("hubot")];
  if (monalisa !== undefined) ferry?.collaborators.set(monalisa, "WRITE");
  if (hubot !== undefined) ferry?.collaborators.set(hubot, "READ");
}

/**
 * Creates three repositories: octo/hello unchanged, octo/atlas with 130 more issues, and
 * octo/ferry.
 */
export async function makeWorld(seed: Seeder, store: Store): Promise<void> {
  await makeFerry(seed);
  invite(store);
  for (let index = 0; index < 64; index += 1) await ferryIssue(seed, index);
  for (let index = 0; index < 16; index += 1) await ferryPull(seed, index);
  await ferryReleases(seed);
  await fillAtlas(seed);
}
