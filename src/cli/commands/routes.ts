import type { Runtime } from "../../runtime/mod.ts";
import { printable } from "../../text/mod.ts";
import type { Route } from "../../web/mod.ts";
import { createScreen } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { printJson } from "./_context.ts";
import { describeRoutes } from "./openapi.ts";

interface RoutesOptions extends GlobalOptions {
  readonly explain?: boolean;
}

export async function routes(runtime: Runtime, options: RoutesOptions): Promise<number> {
  const scanned = await describeRoutes(runtime, options, (_, { routes }) => routes);
  const found = options.explain ? await explained(scanned) : scanned;
  const rows = found.map((route: Explained) => [
    route.method,
    route.path,
    `${route.controller}.${route.handler}()`,
    accessText(route),
    versionText(route),
    fastPathText(route),
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...rows.map((row) => row[column]!.length))
  );
  const screen = createScreen(runtime, options);
  for (const row of rows) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    screen.write(`${printable(cells.join("  ").trimEnd())}\n`);
  }
  printJson(runtime, options, { routes: found });
  return 0;
}

type Explained = Route & {
  readonly fastPath?: boolean;
  readonly slowBecause?: string;
};

async function explained(routes: readonly Route[]): Promise<readonly Explained[]> {
  const { laneObstacles, servedRoute } = await import("../../web/mod.ts");
  const obstacles = laneObstacles(routes.map(servedRoute));
  return routes.map((route, index) => {
    const slowBecause = obstacles[index];
    return { ...route, fastPath: slowBecause === undefined, ...(slowBecause && { slowBecause }) };
  });
}

function fastPathText({ fastPath, slowBecause }: Explained): string {
  if (fastPath === undefined) return "";
  return fastPath ? "fast path" : `not on the fast path: ${slowBecause}`;
}

function accessText({ access }: Route): string {
  if (access === undefined) return "default";
  const { allows, roles = [], preAuthorize } = access;
  const who = allows === "rolesAllowed" ? `roles ${roles.join(", ")}` : allows;
  return preAuthorize ? `${who}, and @PreAuthorize` : who;
}

function versionText({ version, deprecated }: Route): string {
  const said = [
    ...version === undefined ? [] : [`version ${version}`],
    ...deprecated ? ["deprecated"] : [],
  ];
  return said.join(", ");
}
