import type { Runtime } from "../../runtime/mod.ts";
import { printable } from "../../text/mod.ts";
import type { Route } from "../../web/mod.ts";
import { createScreen } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { printJson } from "./_context.ts";
import { describeRoutes } from "./openapi.ts";

export async function routes(runtime: Runtime, options: GlobalOptions): Promise<number> {
  const found = await describeRoutes(runtime, options, (_, { routes }) => routes);
  const rows = found.map((route) => [
    route.method,
    route.path,
    `${route.controller}.${route.handler}()`,
    accessText(route),
    versionText(route),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  const screen = createScreen(runtime, options);
  for (const row of rows) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    screen.write(`${printable(cells.join("  ").trimEnd())}\n`);
  }
  printJson(runtime, options, { routes: found });
  return 0;
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
