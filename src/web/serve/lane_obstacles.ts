import { groupsOf, honoPaths, isEscaped, overlap } from "../path/hono_paths.ts";
import type { ServedRoute } from "../route/served_route.ts";
import { laneObstacle } from "./plan.ts";

/** By route, why it is not on the lane, `undefined` if it is: also because of other routes of its method. */
export function laneObstacles(routes: readonly ServedRoute[]): readonly (string | undefined)[] {
  const paths = honoPaths(routes.map(({ pattern }) => pattern));
  const all = routes.map((route, at) => ({ route, path: paths[at]!, off: laneObstacle(route) }));
  const groups = groupsOf(all);
  return all.map(({ route: { method, pattern }, path, off }) => {
    if (off) return off;
    if (pattern.segments.some(isEscaped)) return "URLs may escape characters of the path";
    const others = groups.filter((group) => group.method === method);
    const same = others.filter((group) => group.path === path);
    const twin = same.flatMap(({ candidates }) => candidates).find(({ off }) => off);
    const rest = others.find((group) => covers(group.path, path))?.candidates[0];
    if (twin) return `it is matched together with '${twin.route.path}', which is not: ${twin.off}`;
    if (rest) return `'${rest.route.path}' matches its requests, too`;
    return same.length > 1 ? "a '**' of another path separates it from its like" : undefined;
  });
}

function covers(path: string, other: string): boolean {
  const fixed = path.split("/").slice(0, -1);
  return path.endsWith("*") && overlap(fixed, other.split("/").slice(0, fixed.length));
}

/** Middleware of Hono and the settings that do its work on the lane, by the name of its function without the number. */
const ON_LANE = new Map([["cors", "'server.cors'"], ["secureHeaders", "'server.headers'"]]);

export function functionsText(functions: readonly { readonly name: string }[]): string {
  return functions.map(({ name }) => {
    const known = name.replace(/\d+$/, "");
    const faster = ON_LANE.get(known);
    return faster ? `${known}() (faster: ${faster})` : name || "a function without a name";
  }).join(", ");
}
