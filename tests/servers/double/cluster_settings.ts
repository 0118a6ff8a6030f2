import { invalid, ok, Refused, type Reply } from "./answers.ts";
import type { Dialect } from "./dialect.ts";
import { readSettings } from "./json_text.ts";
import { matches } from "./patterns.ts";
import { checkInteger } from "./setting_rules.ts";
import {
  changedSettings,
  flatSettings,
  nestedSettings,
  type Settings,
  shownSettings,
  withoutNulls,
} from "./settings.ts";

/** Settings that can be changed while the cluster runs. */
const DYNAMIC =
  `action.auto_create_index action.destructive_requires_name action.search.* archived.* cluster.blocks.*
  cluster.default_number_of_replicas cluster.indices.* cluster.info.* cluster.max_shards_per_node
  cluster.max_voting_config_exclusions cluster.metadata.* cluster.no_cluster_manager_block cluster.no_master_block
  cluster.persistent_tasks.* cluster.remote.* cluster.routing.* cluster.search.* cluster.service.* compatibility.*
  indices.* ingest.* knn.* logger.* opendistro.* script.* search.* search_backpressure.* segrep.* snapshot.* task_*`
    .split(/\s+/);

const OF_THE_PLUGIN =
  `action_validation.enabled allow_list auto_manage coordinator.backoff_count coordinator.backoff_millis
  coordinator.sweep_period coordinator.sweep_skip_period enabled history.* jitter job_interval metadata_migration.status
  metadata_service.* restricted_index_pattern snapshot.deny_list template_migration.control`
    .split(/\s+/).map((name) => `plugins.index_state_management.${name}`);

/** Settings that only the configuration file has. */
const FIXED = [
  "cluster.name",
  "node.*",
  "path.*",
  "http.*",
  "network.*",
  "discovery.*",
  "bootstrap.*",
];

const INTEGERS: Record<string, number> = {
  "cluster.max_shards_per_node": 1,
  "plugins.index_state_management.job_interval": 1,
};

/** Settings of the cluster, as `recordings/opensearch-kinds.txt` has them. */
export class ClusterSettings {
  readonly #dialect: Dialect;
  #persistent: Settings;
  #transient: Settings = {};

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    // The plugin writes a setting itself.
    const writes = dialect.plugin && dialect.number === "2.19.4";
    this.#persistent = writes
      ? { "plugins.index_state_management.template_migration.control": "-1" }
      : {};
  }

  /** Whether a write to an index that does not exist creates it. */
  autoCreates(index: string): boolean {
    const name = "action.auto_create_index";
    const said = String(this.#transient[name] ?? this.#persistent[name] ?? "true");
    if (said === "true" || said === "false") return said === "true";
    for (const pattern of said.split(",")) {
      if (matches(pattern.replace(/^[+-]/, ""), index)) return !pattern.startsWith("-");
    }
    return false;
  }

  get(query: URLSearchParams): Reply {
    return ok({
      persistent: shownSettings(this.#persistent, query),
      transient: shownSettings(this.#transient, query),
    });
  }

  put(text: string): Reply {
    const body = readSettings(text);
    const [persistent, transient] = [flat(body.persistent), flat(body.transient)];
    if (Object.keys({ ...persistent, ...transient }).length === 0) {
      throw invalid("no settings to update");
    }
    this.#check("persistent", persistent);
    this.#check("transient", transient);
    this.#persistent = changedSettings(this.#persistent, persistent);
    this.#transient = changedSettings(this.#transient, transient);
    return ok({
      acknowledged: true,
      persistent: nestedSettings(withoutNulls(persistent)),
      transient: nestedSettings(withoutNulls(transient)),
    });
  }

  #check(kind: string, settings: Settings): void {
    for (const [name, value] of Object.entries(settings)) {
      if (FIXED.some((one) => matches(one, name))) {
        throw this.#refused(`${kind} setting [${name}], not dynamically updateable`);
      }
      const known = [...DYNAMIC, ...(this.#dialect.plugin ? OF_THE_PLUGIN : [])];
      if (!name.includes("*") && !known.some((one) => matches(one, name))) {
        throw this.#refused(`${kind} setting [${name}], not recognized`);
      }
      if (name in INTEGERS && value !== null) checkInteger(name, String(value), INTEGERS[name]!);
    }
  }

  #refused(reason: string): Refused {
    return new Refused(400, { type: this.#dialect.settingsError, reason });
  }
}

function flat(value: unknown): Settings {
  return value === undefined ? {} : flatSettings(value);
}
