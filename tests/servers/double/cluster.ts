import { ok } from "./answers.ts";
import { Aliases } from "./aliases.ts";
import { Bulk } from "./bulk.ts";
import { ByQuery } from "./by_query.ts";
import { ClusterSettings } from "./cluster_settings.ts";
import { configurationRoutes } from "./configuration_routes.ts";
import type { Dialect } from "./dialect.ts";
import { DocumentApi } from "./document_api.ts";
import { documentRoutes } from "./document_routes.ts";
import { Documents } from "./documents.ts";
import { IndexApi } from "./index_api.ts";
import { indexRoutes } from "./index_routes.ts";
import { Indices } from "./indices.ts";
import { Lifecycles } from "./lifecycles.ts";
import { ManagedIndices } from "./managed_indices.ts";
import { INGEST, Pipelines, SEARCH } from "./pipelines.ts";
import { Policies } from "./policies.ts";
import { lifecycleRoutes, policyRoutes, snapshotPolicyRoutes } from "./policy_routes.ts";
import { Router } from "./router.ts";
import { Scripts } from "./scripts.ts";
import { Search } from "./search.ts";
import { SnapshotPolicies } from "./snapshot_policies.ts";
import { Tasks } from "./tasks.ts";
import { Templates } from "./templates.ts";
import { WriteTargets } from "./write_targets.ts";

export interface ClusterOptions {
  readonly dialect: Dialect;
  readonly ism: "_plugins" | "_opendistro" | false;
  readonly configIndexRace: number;
  readonly holdTasks: boolean;
}

/** Everything that the double keeps, and the paths under which it is asked. */
export class Cluster {
  readonly router: Router = new Router();
  readonly indices: Indices;
  readonly tasks: Tasks;
  readonly managed: ManagedIndices;

  constructor({ dialect, ism, configIndexRace, holdTasks }: ClusterOptions) {
    const { router } = this;
    const templates = new Templates(dialect);
    const ingest = new Pipelines(INGEST);
    const searching = new Pipelines(SEARCH);
    const settings = new ClusterSettings(dialect);
    const indices = new Indices(dialect, (index) => templates.forIndex(index));
    const targets = new WriteTargets(indices, dialect, (index) => settings.autoCreates(index));
    const documents = new Documents(indices, dialect, targets, (name) => ingest.has(name));
    const search = new Search(indices, (name) => searching.has(name));
    const tasks = new Tasks(holdTasks);
    const policies = new Policies(dialect, configIndexRace);
    const managed = new ManagedIndices(indices, policies, dialect);

    const { number, flavour } = dialect;
    const distribution = flavour === "opensearch" ? { distribution: flavour } : {};
    router.on("GET HEAD", "/", () => ok({ name: "node-1", version: { ...distribution, number } }));
    const scripts = new Scripts();
    configurationRoutes(router, { templates, ingest, searching, settings, scripts });
    // Data streams are not covered: a test that has some answers in place of the double.
    router.on("GET", "/_cluster/state/metadata", () => {
      return ok({ metadata: { stored_scripts: scripts.all, indices: indices.states() } });
    });
    indexRoutes(router, new IndexApi(indices, dialect), new Aliases(indices));
    documentRoutes(router, {
      documents,
      search,
      tasks,
      api: new DocumentApi(documents),
      bulk: new Bulk(documents, dialect),
      byQuery: new ByQuery(documents, search, tasks),
    });
    if (flavour === "elasticsearch") lifecycleRoutes(router, new Lifecycles());
    if (ism === "_plugins") policyRoutes(router, "_plugins", policies, managed);
    if (ism !== false) policyRoutes(router, "_opendistro", policies, managed);
    if (ism === "_plugins") snapshotPolicyRoutes(router, new SnapshotPolicies(dialect));
    this.indices = indices;
    this.tasks = tasks;
    this.managed = managed;
  }
}
