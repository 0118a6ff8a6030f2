import { hexDigest } from "../../text/mod.ts";
import type { MigrationFile } from "../../migrations/runner/mod.ts";
import { classifierOf } from "../../migrations/search/classifier.ts";
import { member } from "../../migrations/search/json/json.ts";
import { LOCKS, RECORDS } from "../../migrations/search/journal/own_indices.ts";
import { isObject, objectOf, valueOf } from "../../migrations/search/json/json_values.ts";
import type { searchSessionOf } from "../../migrations/search/offers.ts";

type Search = Pick<ReturnType<typeof searchSessionOf>, "connection">;

const PARAMETER =
  /^(?:pipeline=.+|scroll=\d+[smhd]|slices=auto|(?:requests_per_second|scroll_size|slices)=[1-9]\d*)$/;
const PLACE = "Expected 'POST' to '/<index>/_update_by_query' or '/<index>/_delete_by_query', " +
  "not to all indices or the runner's own, with no parameters but 'pipeline', 'scroll' such as " +
  "'5m', and whole numbers above 0 as 'requests_per_second', 'scroll_size' and 'slices'";
const BODY = "Expected an object with 'query', and 'script' for updates alone, whose 'query' the " +
  "change makes false: it is repeated until no document matches";

/** @throws {InvalidFilesError} naming line and column */
export async function loadQuery(file: MigrationFile, { connection }: Search) {
  const bytes = await file.read();
  const { json, request } = classifierOf(connection).classify({ ...file, bytes });
  const refuse = (key: string, message: string) =>
    json.refuse(member(json.members, key)?.offset ?? 0, message);
  const { pathname, searchParams } = new URL(request.path, "http://cluster");
  const own = Object.fromEntries(searchParams);
  const [, indices = "/_all", verb] = /^(\/[^/]+)\/_(update|delete)_by_query$/.exec(pathname) ?? [];
  const isKnown = [...searchParams].every((pair) => PARAMETER.test(pair.join("=")));
  const { query, script, ...more } = objectOf(valueOf(request.body));
  const isEndless = !isObject(query) || Object.keys(query).length === 0 ||
    (verb === "update" ? "match_all" in query : script !== undefined);
  if (member(json.members, "backfill")?.data !== true) refuse("backfill", "Expected true");
  if (request.method !== "POST" || !isKnown || isTooWide(indices)) refuse("path", PLACE);
  if (isEndless || Object.keys(more).length > 0) refuse("body", BODY);
  const parameters = { slices: "auto", ...own, conflicts: "proceed", wait_for_completion: "false" };
  return {
    path: file.path,
    repeats: true,
    hash: await hashOf(objectOf(valueOf(new TextDecoder().decode(bytes)))),
    ...{ indices, query, requestsPerSecond: Number(own.requests_per_second ?? 0) },
    request: { ...request, path: `${pathname}?${new URLSearchParams(parameters)}` },
  };
}

/** As it is written, without values of placeholders. Rate and slices may be others after a pause. */
async function hashOf({ path, body }: Readonly<Record<string, unknown>>): Promise<string> {
  const { pathname, searchParams } = new URL(String(path), "http://cluster");
  return await hexDigest(JSON.stringify([pathname, searchParams.get("pipeline"), body]));
}

/** Whether a pattern is for all indices, or for one of the runner. */
function isTooWide(indices: string): boolean {
  const names = indices.slice(1).replaceAll(/[^\w*%,]/g, "\\$&").replaceAll(/,|%2c/gi, "|");
  // Any other escape may stand for any character.
  const pattern = new RegExp(`^(?:${names.replaceAll(/\*|%\w\w/g, ".*")})$`);
  return ["_all", RECORDS, LOCKS].some((own) => pattern.test(own));
}

export type Query = Awaited<ReturnType<typeof loadQuery>>;
