import { hexDigest } from "../../text/mod.ts";
import type { MigrationFile } from "../../migrations/runner/mod.ts";
import { classifierOf } from "../../migrations/search/classifier.ts";
import { member } from "../../migrations/search/json/json.ts";
import { isObject, objectOf, valueOf } from "../../migrations/search/json/json_values.ts";
import type { searchSessionOf } from "../../migrations/search/offers.ts";

type Search = Pick<ReturnType<typeof searchSessionOf>, "connection">;

const PARAMETERS = ["pipeline", "requests_per_second", "scroll", "scroll_size", "slices"];
const PLACE =
  "Expected 'POST' to '/<index>/_update_by_query' or '/<index>/_delete_by_query', with " +
  `no parameters but '${PARAMETERS.join("', '")}'`;
const BODY = "Expected an object with 'query' and 'script' alone, whose 'query' the change makes " +
  "false: it is repeated until no document matches";

/** @throws {InvalidFilesError} naming line and column */
export async function loadQuery(file: MigrationFile, { connection }: Search) {
  const { json, request } = classifierOf(connection)
    .classify({ ...file, bytes: await file.read() });
  const refuse = (key: string, message: string) =>
    json.refuse(member(json.members, key)?.offset ?? 0, message);
  const { pathname, searchParams } = new URL(request.path, "http://cluster");
  const own = Object.fromEntries(searchParams);
  const [, indices, verb] = /^(\/[^/]+)\/_(update|delete)_by_query$/.exec(pathname) ?? [];
  const isKnown = Object.keys(own).every((name) => PARAMETERS.includes(name));
  const { query, script: _, ...more } = objectOf(valueOf(request.body));
  const isEndless = !isObject(query) || (verb === "update" && "match_all" in query);
  if (member(json.members, "backfill")?.data !== true) refuse("backfill", "Expected true");
  if (request.method !== "POST" || !indices || !isKnown) refuse("path", PLACE);
  if (isEndless || Object.keys(more).length > 0) refuse("body", BODY);
  const parameters = { slices: "auto", ...own, conflicts: "proceed", wait_for_completion: "false" };
  return {
    path: file.path,
    repeats: true,
    // The rate may be another one after a pause.
    hash: await hexDigest(JSON.stringify([pathname, own.pipeline, request.body])),
    ...{ indices, query, requestsPerSecond: Number(own.requests_per_second ?? 0) },
    request: { ...request, path: `${pathname}?${new URLSearchParams(parameters)}` },
  };
}

export type Query = Awaited<ReturnType<typeof loadQuery>>;
