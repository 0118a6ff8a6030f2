import { printable } from "../../text/mod.ts";
import type { Route } from "../../web/mod.ts";
import { command } from "../command.ts";
import { flag } from "../option.ts";

export const declared = command({
  name: "routes",
  description: "print the routes of the controllers and their access rules",
  options: {
    explain: flag("show which routes are on the fast path, or why they are not"),
  },
  examples: [
    ["routes", "method, path, handler and access rule"],
    ["routes --json", "the same as JSON"],
  ],
  epilogue: `
'default' is the access that the options of security() configure; without options it is closed.

Imports the modules below the folders of 'component-scan' and reads the declarations of their controllers. Creates no
bean and starts nothing; controllers that only code registers are not included.
`,
  worked: `
$ irori routes
GET  /users/{id}  userController.get()  default
`,
  async run(context, { explain }) {
    const { withScanned } = await import("../scanned_routes.ts");
    const scanned = await withScanned(context, async ({ routes, exported, config }) => {
      for (const { reads } of context.program.features) await reads?.(exported, config);
      return routes;
    });
    const routes = explain ? await explained(scanned) : scanned;
    const rows = routes.map((route: Explained) => [
      route.method,
      route.path,
      `${route.controller}.${route.handler}()`,
      accessText(route),
      versionText(route),
      fastPathText(route),
    ]);
    const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
    for (const row of rows) {
      const cells = row.map((cell, column) => cell.padEnd(widths[column]!));
      context.screen.write(`${printable(cells.join("  ").trimEnd())}\n`);
    }
    context.printJson({ routes });
  },
});

type Explained = Route & {
  readonly fastPath?: boolean;
  readonly slowBecause?: string;
};

async function explained(routes: readonly Route[]): Promise<readonly Explained[]> {
  const { laneObstacles, servedRoute } = await import("../../web/mod.ts");
  const obstacles = laneObstacles(routes.map(servedRoute));
  return routes.map((route, index) => {
    const slowBecause = obstacles[index];
    return { ...route, fastPath: slowBecause === undefined, slowBecause };
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
  const named = version === undefined ? "" : `version ${version}`;
  if (!deprecated) return named;
  return named === "" ? "deprecated" : `${named}, deprecated`;
}
