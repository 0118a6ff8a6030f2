import { ENDINGS } from "./files.ts";

const FILES = "/migrations/**";

/** Settings of a project for VS Code: which files have which schema. `{{schemas}}` is where the schemas are. */
export function vscodeSettings(): unknown {
  return {
    "json.schemas": [
      ...ENDINGS.map((ending) => ({ fileMatch: filesOf(ending), url: urlOf(ending) })),
      {
        fileMatch: [
          `${FILES}/*.json`,
          // The name decides first.
          `!${FILES}/*-{${ENDINGS.join(",")}}.json`,
          `!${SETTINGS}`,
          // The folder that Drizzle writes.
          `!${FILES}/meta/*.json`,
        ],
        url: urlOf("search"),
      },
    ],
    "yaml.schemas": {
      [urlOf("application")]: ["config/application*.yml", "config/*-config.yml"],
    },
  };
}

/** A cluster has these settings once, so that they need no name. */
const SETTINGS = `${FILES}/cluster-settings.json`;

function filesOf(ending: string): readonly string[] {
  const files = `${FILES}/*-${ending}.json`;
  if (ending === "cluster-settings") return [files, SETTINGS];
  const longer = ENDINGS.filter((other) => other.endsWith(`-${ending}`));
  return [files, ...longer.map((other) => `!${FILES}/*-${other}.json`)];
}

function urlOf(name: string): string {
  return `{{schemas}}/${name}.schema.json`;
}
