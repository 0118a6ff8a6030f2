import { type Config, ConfigError } from "../../config/mod.ts";
import { type FeatureKey, featureKey, type MigrationFeature } from "../../migrations/runner/mod.ts";
import { PLACE, SQL } from "../../migrations/sql/offers.ts";
import { resolve } from "../../runtime/path.ts";

/** Absolute path of the file that a schema is written to. */
export const SCHEMA_FILE: FeatureKey<string> = featureKey("schema_file");

/** Names of objects that comparisons leave out, with `*` for any characters. */
export const DRIFT_IGNORE: FeatureKey<readonly string[]> = featureKey("drift_ignore");

const KEY = "migrations.schema_file";

/** Writes the schema of a database to a file after a run that has changed it. */
export const feature: MigrationFeature = {
  name: "schema",
  settings: {
    datasource: {
      keys: [KEY, "migrations.drift_ignore"],
      read(section, engine) {
        const path = section.string(KEY);
        const names = section.strings("migrations.drift_ignore");
        const offers = names ? [DRIFT_IGNORE.offer(names)] : [];
        if (path === undefined) return { offers };
        PLACE.of(engine)?.refuseProgram(KEY);
        if (path.trim() === "") throw section.error(KEY, "Expected the path of a file, found none");
        if (section.get("migrations.each") != null) {
          throw section.error(KEY, "It cannot be of several tenants: remove it");
        }
        return { offers: [...offers, SCHEMA_FILE.offer(resolve(section.root, path))] };
      },
    },
  },
  targets(targets, { config }) {
    if (targets.some((target) => SCHEMA_FILE.of(target) !== undefined)) refuseSharedFiles(config);
    return targets;
  },
  async applied(target, signal) {
    const [path, sql] = [SCHEMA_FILE.of(target), SQL.of(target)];
    if (path === undefined || sql === undefined) return;
    const { Snapshots } = await import("./snapshots.ts");
    await new Snapshots(sql.datasource, { ...sql.environment, signal }).write(path);
  },
};

function refuseSharedFiles(config: Config): void {
  const names = new Map<string, string>();
  for (const section of config.sections("datasource")) {
    const path = section.string(KEY);
    if (path === undefined || !section.boolean("migrations.enabled", false)) continue;
    const file = resolve(section.root, path);
    const [name, other] = [section.string("name", ""), names.get(file)];
    if (other !== undefined) {
      const message = `The datasources '${other}' and '${name}' share one 'schema_file', '${file}'`;
      throw new ConfigError(`${message}; each needs a separate file`);
    }
    names.set(file, name);
  }
}
