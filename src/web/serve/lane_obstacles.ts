import { honoPaths, isEscaped } from "../path/hono_paths.ts";
import type { ServedRoute } from "../route/served_route.ts";
import { overlap } from "./lane.ts";
import { laneObstacle } from "./plan.ts";

/** By route, why it is not on the lane, `undefined` if it is: also because of other routes of its method. */
export function laneObstacles(routes: readonly ServedRoute[]): readonly (string | undefined)[] {
  const paths = honoPaths(routes.map(({ pattern }) => pattern));
  const own = routes.map((route) =>
    laneObstacle(route) ??
      (route.pattern.segments.some(isEscaped)
        ? "URLs may escape characters of the path"
        : undefined)
  );
  return routes.map(({ method }, index) => {
    const others = routes.entries().filter(([, other]) => other.method === method).toArray();
    const [at, twin] = others.find(([at]) => paths[at] === paths[index] && own[at]) ?? [];
    const [, rest] = others.find(([at]) => covers(paths[at]!, paths[index]!)) ?? [];
    if (own[index] !== undefined) return own[index];
    if (twin) return `it is matched together with '${twin.path}', which is not: ${own[at!]}`;
    return rest && `'${rest.path}' matches its requests, too`;
  });
}

function covers(path: string, other: string): boolean {
  const fixed = path.split("/").slice(0, -1);
  const start = other.split("/").slice(0, fixed.length);
  return path.endsWith("*") && overlap(fixed.join("/"), start.join("/"));
}
