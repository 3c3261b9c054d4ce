import { HEADS } from "./commits.ts";
import { nameWithOwner } from "./facts.ts";
import type { Repository, User } from "./model.ts";
import { visible } from "./search.ts";
import { parseSearch, getValues } from "./search-query.ts";
import type { SearchQuery } from "./search-query.ts";
import type { Store } from "./store.ts";

export interface CodeHit {
  readonly repository: Repository;
  readonly path: string;
  readonly oid: string;
  readonly text: string;
}

function matchesCode({ repository, path, text }: CodeHit, query: SearchQuery): boolean {
  const has = (name: string, test: (value: string) => boolean): boolean =>
    getValues(query, name).every(test);
  const lower = text.toLowerCase();
  return (
    query.words.every((word) => lower.includes(word) || path.toLowerCase().includes(word)) &&
    has("repo", (value) => nameWithOwner(repository).toLowerCase() === value.toLowerCase()) &&
    has("org", (value) => repository.owner.login.toLowerCase() === value.toLowerCase()) &&
    has("user", (value) => repository.owner.login.toLowerCase() === value.toLowerCase()) &&
    has("path", (value) => path.startsWith(value.replace(/^\//, ""))) &&
    has("filename", (value) => path.split("/").at(-1) === value) &&
    has("extension", (value) => path.endsWith(`.${value.replace(/^\./, "")}`)) &&
    has("language", (value) => repository.language?.toLowerCase() === value.toLowerCase())
  );
}

/** Searches default branches only, and no forks, as GitHub does. */
export function searchCode(store: Store, viewer: User, text: string): CodeHit[] {
  const query = parseSearch(text);
  return visible(store, viewer)
    .filter(({ parent }) => parent === null)
    .flatMap((repository) => searchedFiles(store, repository))
    .filter((hit) => matchesCode(hit, query));
}

function searchedFiles(store: Store, repository: Repository): CodeHit[] {
  const head = repository.refs.get(`${HEADS}${repository.defaultBranch}`) ?? "";
  return [...store.objects.filesAt(head)].map(([path, oid]) => {
    const text = store.objects.blob(oid)?.toString("utf8") ?? "";
    return { repository, path, oid, text };
  });
}
