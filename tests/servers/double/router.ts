import { illegal, isObject, notCovered, ok, Refused, type Reply } from "./answers.ts";

/** A request, with what its path says by name. */
export interface Call {
  readonly index?: string;
  readonly id?: string;
  readonly name?: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly headers: Headers;
}

type Handler = (call: Call) => Reply;

interface Route {
  readonly methods: readonly string[];
  readonly segments: readonly string[];
  readonly parameters: readonly string[] | undefined;
  readonly handler: Handler;
}

/** Parameters of every request. */
const COMMON = [
  "error_trace",
  "filter_path",
  "format",
  "human",
  "pretty",
  "source",
  "source_content_type",
];

/** Parameters that many requests share. */
export const TIMEOUTS = "cluster_manager_timeout master_timeout timeout";
export const WRITE = "if_primary_term if_seq_no op_type pipeline refresh require_alias routing " +
  "timeout version version_type wait_for_active_shards";

/** Paths that every cluster answers and the double does not imitate. */
const NOT_COVERED =
  `analyze cache cat cluster component_template data_stream explain field_caps flush forcemerge index_template ingest
  msearch mtermvectors nodes pit rank_eval recovery remote render resolve rollover search search_shards segments
  shard_stores shrink snapshot split stats tasks template termvectors update_by_query validate`
    .split(/\s+/).map((name) => `_${name}`);

/** Finds the handler of a request, and refuses requests without one as clusters do. */
export class Router {
  readonly #routes: Route[] = [];

  /**
   * @param path names in braces stand for one segment
   * @param parameters what the query may say besides what every query may; unchecked where left out
   */
  on(methods: string, path: string, handler: Handler, parameters?: string): void {
    this.#routes.push({
      methods: methods.split(" "),
      segments: path.split("/").slice(1),
      parameters: parameters?.split(" "),
      handler,
    });
  }

  answer(method: string, url: URL, body: string, headers: Headers): Reply {
    try {
      const { pathname, searchParams: query } = url;
      const segments = pathname.split("/").slice(1).filter((one, i) => one !== "" || i === 0)
        .map(decodeURIComponent);
      const { route, allowed } = this.#find(method, segments);
      if (!route) return noRoute(method, pathname, allowed);
      checkParameters(pathname, query, route.parameters);
      const named = route.segments.flatMap((segment, i) =>
        segment.startsWith("{") ? [[segment.slice(1, -1), segments[i]!]] : []
      );
      const reply = route.handler({ ...Object.fromEntries(named), query, body, headers });
      const paths = query.get("filter_path");
      return paths === null ? reply : ok(filtered(reply.body, paths.split(",")), reply.status);
    } catch (error) {
      if (error instanceof Refused) return error.reply;
      // A body of another form than the double reads.
      return notCovered(`this request: ${error}`);
    }
  }

  /** The route that names most of the path itself, or what it allows. */
  #find(
    method: string,
    segments: readonly string[],
  ): { route?: Route; allowed: readonly string[] } {
    const names = ({ segments }: Route) => segments.filter((one) => one.startsWith("{")).length;
    const fitting = this.#routes.filter((route) =>
      route.segments.length === segments.length &&
      route.segments.every((one, i) => one.startsWith("{") || one === segments[i])
    );
    const fewest = Math.min(...fitting.map(names));
    const closest = fitting.filter((route) => names(route) === fewest);
    return {
      route: closest.find(({ methods }) => methods.includes(method)),
      allowed: closest.flatMap(({ methods }) => methods),
    };
  }
}

function noRoute(method: string, path: string, allowed: readonly string[]): Reply {
  if (allowed.length === 0 && path.split("/").some((one) => NOT_COVERED.includes(one))) {
    return notCovered(path);
  }
  if (allowed.length === 0) {
    return ok({ error: `no handler found for uri [${path}] and method [${method}]` }, 400);
  }
  const error = `Incorrect HTTP method for uri [${path}] and method [${method}], ` +
    `allowed: [${allowed.join(", ")}]`;
  return ok({ error, status: 405 }, 405);
}

function checkParameters(
  path: string,
  query: URLSearchParams,
  known: readonly string[] | undefined,
): void {
  if (!known) return;
  const strangers = [...query.keys()].filter((name) => ![...COMMON, ...known].includes(name))
    .sort();
  if (strangers.length === 0) return;
  const parameters = strangers.length === 1 ? "parameter" : "parameters";
  const list = strangers.map((name) => `[${name}]`).join(", ");
  throw illegal(`request [${path}] contains unrecognized ${parameters}: ${list}`);
}

/** The part of an answer that `filter_path` selects: names with stars, `**` for any depth. */
function filtered(value: unknown, paths: readonly string[]): unknown {
  const kept = pick(value, paths.map((path) => path.split(".")));
  return kept === undefined ? {} : kept;
}

function pick(value: unknown, paths: readonly string[][]): unknown {
  if (paths.some((path) => path.length === 0)) return value;
  if (Array.isArray(value)) {
    const kept = value.map((one) => pick(one, paths)).filter((one) => one !== undefined);
    return kept.length > 0 ? kept : undefined;
  }
  if (!isObject(value)) return undefined;
  const kept = Object.entries(value).flatMap(([name, below]) => {
    const rest = paths.flatMap(([first = "", ...others]) =>
      first === "**"
        ? [[first, ...others], ...fitting(others, name)]
        : fitting([first, ...others], name)
    );
    const picked = rest.length === 0 ? undefined : pick(below, rest);
    return picked === undefined ? [] : [[name, picked]];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

function fitting([first = "", ...others]: readonly string[], name: string): string[][] {
  const pattern = new RegExp(`^${RegExp.escape(first).replaceAll("\\*", ".*")}$`);
  return pattern.test(name) ? [others] : [];
}
