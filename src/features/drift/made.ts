import { isSameContent, type MigrationRecord } from "../../migrations/runner/mod.ts";
import { decodeLeniently as decoded, nameOfToken } from "../../text/mod.ts";
import { matcherOf, pathOf, requestName } from "../../migrations/search/cluster/request.ts";
import { mergeDeep, without } from "../../migrations/search/json/compare.ts";
import { bodyOf } from "../../migrations/search/json/json.ts";
import {
  field,
  isObject,
  type Json,
  listOf,
  mapValues,
  objectOf,
} from "../../migrations/search/json/json_values.ts";
import { type LiveResource, resourceOf } from "../../migrations/search/kinds/resource.ts";
import type { SearchMigration, SearchRequest } from "../../migrations/search/types.ts";

/** The effect of a recorded file on a resource, as far as no later file overrides it. */
interface Claim {
  readonly file: string;
  readonly resource: LiveResource;
  readonly wanted: unknown;
  /** With what later files want of the resource. */
  readonly whole: unknown;
  /** Why it cannot be compared. */
  readonly note?: string;
}

type Made = Map<string, readonly Claim[]>;

interface Effect {
  readonly request: SearchRequest;
  readonly note?: string;
  /** Whether it only takes away what earlier files have made. */
  readonly isRemoval?: boolean;
}

const EDITED =
  "the file, or a value in it, was edited since it was applied, so this cannot be compared";
const PATCHED = "the file changes a part of it by PATCH, so this cannot be compared";

/**
 * Follows the recorded files in their order. Aliases, patterns and lists mean the indices that earlier files have made.
 * @param recorded the records of files; the applied content of a file that was edited since is unknown
 */
export function claimsOf(
  migrations: readonly SearchMigration[],
  recorded: ReadonlyMap<string, MigrationRecord>,
): readonly Claim[] {
  const made: Made = new Map();
  const order = new Map(migrations.map(({ file: { path } }, index) => [path, index]));
  for (const { file, request } of migrations) {
    const record = recorded.get(file.path);
    const isEdited = !isSameContent(record, file);
    for (const effect of effectsOf(isEdited ? sentBy(record, request) : request, made)) {
      add(made, file.path, isEdited ? { ...effect, note: EDITED } : effect);
    }
  }
  return [...made.values()].flat().sort((a, b) => order.get(a.file)! - order.get(b.file)!);
}

/** The raw request in a record, `DELETE /_index_template/logs`, where the edited file has another. */
function sentBy(record: MigrationRecord | undefined, edited: SearchRequest): SearchRequest {
  const [name, method = "", path = ""] = /^([A-Z]+) (\/\S*)$/.exec(record?.resource ?? "") ?? [];
  return name !== requestName(edited) && resourceOf({ method, path }) ? { method, path } : edited;
}

function add(made: Made, file: string, { request, note, isRemoval }: Effect): void {
  const resource = resourceOf(request);
  if (resource === undefined) return;
  const { key, effect, wanted } = resource;
  if (effect === "gone") {
    const pattern = matcherOf(key);
    for (const other of made.keys()) if (pattern.test(other)) made.delete(other);
    return;
  }
  const over = note === undefined ? replaced(wanted) : mapValues(objectOf(wanted), () => null);
  const left = (effect === "whole" ? [] : made.get(key) ?? []).flatMap((claim) => {
    const left = claim.note === undefined ? without(claim.wanted, over) : claim.wanted;
    const whole = mergeDeep(objectOf(claim.whole), objectOf(note === undefined ? wanted : {}));
    return left === undefined ? [] : [{ ...claim, wanted: left, whole }];
  });
  const own = { file, resource, wanted, whole: wanted, ...(note !== undefined && { note }) };
  made.set(key, isRemoval ? left : [...left, own]);
}

/** With `null` for what a later request replaces as a whole: an alias, and a field with all its parameters. */
function replaced(state: unknown): unknown {
  return !isObject(state) ? state : mapValues(state, (part, name) => {
    if (name === "aliases") return mapValues(objectOf(part), () => null);
    if (name !== "properties") return name === "mappings" ? replaced(part) : part;
    return mapValues(
      objectOf(part),
      (one) => field(one, name) === undefined ? null : replaced(one),
    );
  });
}

const OF_INDICES = /^\/(?:(_all|[^/_][^/]*)\/)?(_settings|_mappings?|_alias(?:es)?\/[^/]+)$/;

/** A request as requests that change one resource each. */
function effectsOf(request: SearchRequest, made: Made): readonly Effect[] {
  const path = pathOf(request);
  const isDeletion = request.method === "DELETE";
  if (path === "/_aliases") {
    return listOf(field(bodyOf(request), "actions"))
      .flatMap((action) => Object.entries(objectOf(action)))
      .flatMap(([verb, about]) => aliasEffects(verb, objectOf(about), made));
  }
  const [, rolled] = /^\/([^/]+)\/_rollover(?:\/|$)/.exec(path) ?? [];
  if (rolled !== undefined) {
    // The alias goes to an index that no file names, unless it is that of an explicit write index.
    const alias = decoded(rolled);
    return aliasEffects("remove", { index: "*", alias }, made).filter(({ request: { path } }) => {
      const claims = made.get(indexKey(decoded(path.slice(1)))) ?? [];
      return !claims.some(({ wanted }) => field(wanted, "aliases", alias, "is_write_index"));
    });
  }
  if (request.method === "PATCH") return patchEffects(path, bodyOf(request), made);
  const found = OF_INDICES.exec(path) ??
    (isDeletion ? /^\/(_all|[^/_][^/]*)$/.exec(path) : undefined);
  if (!found) return [{ request }];
  const [, target = "_all", part] = found;
  const [name = "", alias] = part?.split("/").map(decoded) ?? [];
  return indicesIn(decoded(target).split(","), made, part !== undefined).flatMap((index) => {
    if (alias === undefined) return [{ request: { ...request, path: `${pathTo(index)}/${name}` } }];
    const about = { ...objectOf(bodyOf(request)), index, alias };
    return aliasEffects(isDeletion ? "remove" : "add", about, made);
  });
}

function aliasEffects(
  verb: string,
  { index, indices = index, alias, aliases = alias, must_exist: _, ...how }: Json,
  made: Made,
): readonly Effect[] {
  const isRemoval = verb !== "add";
  const named = [aliases].flat().map(String);
  const state = mapValues(how, (value) => value === "true" || (value !== "false" && value));
  return indicesIn([indices].flat().map(String), made, false).map((name) => {
    if (verb === "remove_index") return { request: { method: "DELETE", path: pathTo(name) } };
    const which = isRemoval
      ? aliasesIn(made, name).filter((one) => named.some((said) => matcherOf(said).test(one)))
      : named;
    const states = Object.fromEntries(which.map((one) => [one, isRemoval ? null : state]));
    const body = JSON.stringify({ aliases: states });
    return { request: { method: "PUT", path: pathTo(name), body }, isRemoval };
  });
}

/** A JSON Patch is not followed, so that the result for the resource is unknown. */
function patchEffects(path: string, changes: unknown, made: Made): readonly Effect[] {
  const paths = listOf(changes).map((change) =>
    path + pathTo(nameOfToken(String(field(change, "path")).split("/")[1] ?? ""))
  );
  return [path, ...paths].map((path) => ({ request: { method: "PUT", path }, note: PATCHED }))
    .filter(({ request }) => made.has(resourceOf(request)?.key ?? ""));
}

/** The indices that a list of names, patterns and exclusions means; a name that no file has made means itself. */
function indicesIn(
  expressions: readonly string[],
  made: Made,
  takesAliases: boolean,
): readonly string[] {
  const found = new Set<string>();
  for (const one of expressions) {
    const isOut = one.startsWith("-");
    const pattern = matcherOf(one === "_all" ? "*" : isOut ? one.slice(1) : one);
    const meant = made.has(indexKey(one)) ? [one] : [...made.keys()]
      .filter((key) => key.startsWith(indexKey("")))
      .map((key) => key.slice(indexKey("").length))
      .filter((name) =>
        [name, ...takesAliases ? aliasesIn(made, name) : []].some((text) => pattern.test(text))
      );
    if (meant.length === 0 && !/^-|^_all$|\*/.test(one)) found.add(one);
    for (const name of meant) {
      found[isOut ? "delete" : "add"](name);
    }
  }
  return [...found];
}

function aliasesIn(made: Made, index: string): readonly string[] {
  return (made.get(indexKey(index)) ?? [])
    .flatMap(({ wanted }) => Object.keys(objectOf(field(wanted, "aliases"))));
}

function indexKey(index: string): string {
  return `index ${index}`;
}

function pathTo(index: string): string {
  return `/${encodeURIComponent(index)}`;
}
