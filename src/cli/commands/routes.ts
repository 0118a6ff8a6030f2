import type { BootstrapOptions } from "../../app/mod.ts";
import type { Config } from "../../config/mod.ts";
import { printable } from "../../text/mod.ts";
import type { Route, Steps } from "../../web/mod.ts";
import { command } from "../command.ts";
import { flag } from "../option.ts";
import { tell } from "../screen.ts";

export const declared = command({
  name: "routes",
  description: "print the routes of the controllers and their access rules",
  options: {
    explain: flag("show what each route does for a request, and what keeps it off the fast path"),
  },
  examples: [
    ["routes", "method, path, handler and access rule"],
    ["routes --json", "the same as JSON"],
  ],
  epilogue: `
'default' is the access that the options of security() configure; without options it is closed.

Imports the modules below the folders of 'component-scan' and reads the declarations of their controllers. Creates no
bean and starts nothing; controllers that only code registers are not included. '--explain' knows the middleware of
bootstrap() if one of the modules exports its options. It does not know what extensions add, and what is added to 'app'.
`,
  worked: `
$ irori routes
GET  /users/{id}  userController.get()  default
`,
  async run(context, { explain }) {
    const { withScanned } = await import("../scanned_routes.ts");
    const routes = await withScanned(context, async ({ routes, exported, config }) => {
      for (const { reads } of context.program.features) await reads?.(exported, config);
      if (!explain) return routes;
      const options = [...exported.keys()].filter(areOptions);
      if (options.length === 0) {
        tell(context.screen, "warning", "export the options of bootstrap() to see its middleware");
      }
      return await explained(routes, config, options);
    });
    const rows = routes.map((route: Explained) => [
      route.method,
      route.path,
      `${route.controller}.${route.handler}()`,
      accessText(route),
      versionText(route),
      fastPathText(route),
    ]);
    const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
    for (const [index, row] of rows.entries()) {
      const cells = row.map((cell, column) => cell.padEnd(widths[column]!));
      const { steps = {} }: Explained = routes[index]!;
      const lines = Object.entries(steps).map(([step, does]) => `  ${step.padEnd(15)}${does}`);
      context.screen.write(
        [cells.join("  ").trimEnd(), ...lines].map((line) => `${printable(line)}\n`).join(""),
      );
    }
    context.printJson({ routes });
  },
});

type Explained = Route & {
  readonly fastPath?: boolean;
  readonly slowBecause?: string | undefined;
  readonly steps?: Steps;
};

/** Those of `security()` have middleware, too. */
function areOptions(one: unknown): one is BootstrapOptions {
  const { middleware, extensions = middleware, schemes } = Object(one);
  return Array.isArray(extensions) && schemes === undefined;
}

async function explained(
  routes: readonly Route[],
  config: Config,
  options: readonly BootstrapOptions[],
): Promise<readonly Explained[]> {
  const { functionsText, laneObstacles, servedRoute, stepsOf } = await import("../../web/mod.ts");
  const shared = {
    browser: ["server.cors", "server.headers"].filter((key) => config.get(key)).join(", "),
    middleware: functionsText(options.flatMap(({ middleware = [] }) => middleware)),
  };
  const slow = shared.middleware && "middleware of the application runs for all requests";
  return laneObstacles(routes.map(servedRoute)).map((obstacle, index) => {
    const slowBecause = [obstacle, slow].filter(Boolean).join("; ") || undefined;
    const steps = stepsOf(servedRoute(routes[index]!), shared);
    return { ...routes[index]!, fastPath: slowBecause === undefined, slowBecause, steps };
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
