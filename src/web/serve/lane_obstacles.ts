import { covers, honoPaths, isEscaped } from "../path/hono_paths.ts";
import type { ServedRoute } from "../route/served_route.ts";
import { laneObstacle } from "./plan.ts";

/** By route, why it is not on the lane, `undefined` if it is: also because of other routes of its method. */
export function laneObstacles(routes: readonly ServedRoute[]): readonly (string | undefined)[] {
  const paths = honoPaths(routes.map(({ pattern }) => pattern));
  const without = routes.map(laneObstacle);
  const own = routes.map(({ pattern: { segments } }, index) => {
    const texts = paths[index]!.split("/").slice(1);
    if (without[index]) return without[index];
    if (segments.some(isEscaped)) return "URLs may escape characters of the path";
    const isHidden = segments.some((segment, depth) =>
      segment.kind === "literal" && segment.text.startsWith(".") && texts[depth]!.startsWith(":")
    );
    return isHidden ? "where it begins with a '.', other routes have a variable" : undefined;
  });
  return routes.map(({ method }, index) => {
    const others = routes.entries().filter(([, other]) => other.method === method).toArray();
    const [at, twin] = others.find(([at]) => paths[at] === paths[index] && without[at]) ?? [];
    const [, rest] = others.find(([at]) => covers(paths[at]!, paths[index]!)) ?? [];
    if (own[index] !== undefined) return own[index];
    if (twin) return `it is matched together with '${twin.path}', which is not: ${without[at!]}`;
    return rest && `'${rest.path}' matches its requests, too`;
  });
}
