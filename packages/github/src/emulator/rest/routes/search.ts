import { historyAt } from "../../store/commits.ts";
import { StoreError, invalid } from "../../store/errors.ts";
import { searchCode } from "../../store/search-code.ts";
import type { CodeHit } from "../../store/search-code.ts";
import { searchAccounts, searchIssues, searchRepositories, visible } from "../../store/search.ts";
import { parseSearch, getValues } from "../../store/search-query.ts";
import { nameWithOwner } from "../../store/facts.ts";
import type { RestCall, Routes } from "../call.ts";
import { countedReply, firstOnPage } from "../pages.ts";
import type { Reply } from "../reply.ts";
import { simpleUser } from "../views/account.ts";
import { commitView, contentView } from "../views/git.ts";
import { issueView } from "../views/issue.ts";
import { minimalRepository, repositoryView } from "../views/repository.ts";

/** All hits have the same score in the emulator. */
const SCORE = 1;

/** The number of hits that a search returns at most, over all pages. */
const MAX_HITS = 1_000;

function findQuery(call: RestCall): string {
  const text = call.query("q");
  if (text === undefined || text.trim() === "") {
    throw invalid({ resource: "Search", field: "q", code: "missing" });
  }
  return text;
}

function hits<T>(
  call: RestCall,
  all: readonly T[],
  view: (one: T) => Record<string, unknown>,
  more: Readonly<Record<string, unknown>> = {},
): Reply {
  if (firstOnPage(call) >= MAX_HITS) {
    throw new StoreError("UNPROCESSABLE", "Only the first 1000 search results are available");
  }
  const scored = (one: T): unknown => ({ ...view(one), score: SCORE });
  return countedReply(call, "items", all, scored, {
    before: { incomplete_results: false },
    after: more,
  });
}

function issues(call: RestCall): Reply {
  const order = { by: call.query("sort"), isAscending: call.query("order") === "asc" };
  const found = searchIssues(call.store, call.viewer, findQuery(call), order);
  return hits(call, found, (one) => issueView(call.urls, one), { search_type: "lexical" });
}

/** The matches in a file with the lines around them, only if the media type asks for them. */
function textMatches(call: RestCall, { text }: CodeHit, objectUrl: unknown): object {
  if (!call.accept.includes("text-match")) return {};
  const lines = text.split("\n");
  const matches = parseSearch(findQuery(call)).words.flatMap((word) => {
    const line = lines.findIndex((one) => one.toLowerCase().includes(word));
    if (line < 0) return [];
    const fragment = lines.slice(Math.max(0, line - 1), line + 2).join("\n");
    const start = fragment.toLowerCase().indexOf(word);
    const end = start + word.length;
    const found = [{ text: fragment.slice(start, end), indices: [start, end] }];
    const where = { object_url: objectUrl, object_type: "FileContent", property: "content" };
    return [{ ...where, fragment, matches: found }];
  });
  return { text_matches: matches };
}

function codeView(call: RestCall, hit: CodeHit): Record<string, unknown> {
  const { store, urls } = call;
  const { repository, path, oid } = hit;
  const entry = { path, type: "file", oid, size: 0 } as const;
  const { name, sha, url, git_url, html_url } = contentView(
    { store, urls, repository },
    repository.defaultBranch,
    entry,
  );
  return {
    name,
    path,
    sha,
    url,
    git_url,
    html_url,
    repository: minimalRepository(urls, repository),
    ...textMatches(call, hit, url),
  };
}

function commits(call: RestCall): Reply {
  const { store, viewer, urls } = call;
  const query = parseSearch(findQuery(call));
  const places = getValues(query, "repo").map((name) => name.toLowerCase());
  const found = visible(store, viewer)
    .filter((one) => places.length === 0 || places.includes(nameWithOwner(one).toLowerCase()))
    .filter(({ refs, parent }) => refs.size > 0 && parent === null)
    .flatMap((repository) =>
      historyAt(store, repository, repository.defaultBranch).map((commit) => ({
        repository,
        commit,
      })),
    )
    .filter(({ commit }) =>
      query.words.every((word) => commit.message.toLowerCase().includes(word)),
    );
  return hits(call, found, ({ repository, commit }) => ({
    ...commitView({ store, urls, repository }, commit),
    repository: minimalRepository(urls, repository),
  }));
}

function users(call: RestCall): Reply {
  return hits(call, searchAccounts(call.store, findQuery(call)), (one) =>
    simpleUser(call.urls, one),
  );
}

export const searchRoutes: Routes = {
  "GET /search/issues": issues,
  "GET /search/repositories": (call) =>
    hits(call, searchRepositories(call.store, call.viewer, findQuery(call)), (one) =>
      repositoryView(call, one),
    ),
  "GET /search/code": (call) => {
    const text = findQuery(call);
    if (parseSearch(text).words.length === 0) {
      throw new StoreError(
        "UNPROCESSABLE",
        "ERROR_TYPE_QUERY_PARSING_FATAL unable to parse query!",
      );
    }
    return hits(call, searchCode(call.store, call.viewer, text), (one) => codeView(call, one));
  },
  "GET /search/commits": commits,
  "GET /search/users": users,
};
