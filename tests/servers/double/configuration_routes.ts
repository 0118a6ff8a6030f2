import { notCovered } from "./answers.ts";
import type { ClusterSettings } from "./cluster_settings.ts";
import type { Pipelines } from "./pipelines.ts";
import { type Router, TIMEOUTS } from "./router.ts";
import type { Scripts } from "./scripts.ts";
import type { Templates } from "./templates.ts";

interface Parts {
  readonly templates: Templates;
  readonly ingest: Pipelines;
  readonly searching: Pipelines;
  readonly settings: ClusterSettings;
  readonly scripts: Scripts;
}

/** Templates, pipelines, scripts and settings of the cluster. */
export function configurationRoutes(
  router: Router,
  { templates, ingest, searching, settings, scripts }: Parts,
): void {
  templateRoutes(router, templates);
  router.on("GET POST", "/_ingest/pipeline/_simulate", () => notCovered("pipelines at work"));
  pipelineRoutes(router, "/_ingest/pipeline", ingest);
  pipelineRoutes(router, "/_search/pipeline", searching);
  router.on("GET", "/_scripts/{id}", ({ id }) => scripts.get(id!), TIMEOUTS);
  for (const path of ["/_scripts/{id}", "/_scripts/{id}/{name}"]) {
    router.on("PUT POST", path, ({ id, name, body }) => {
      return scripts.put(id!, name, body);
    }, `${TIMEOUTS} context`);
  }
  router.on("DELETE", "/_scripts/{id}", ({ id }) => scripts.delete(id!), TIMEOUTS);
  router.on("GET", "/_cluster/settings", ({ query }) => settings.get(query));
  router.on("PUT", "/_cluster/settings", ({ body }) => settings.put(body));
}

function templateRoutes(router: Router, templates: Templates): void {
  const { components } = templates;
  const index = "/_index_template";
  router.on("GET", index, () => templates.get());
  router.on("GET HEAD", `${index}/{name}`, ({ name }) => templates.get(name));
  router.on("PUT POST", `${index}/{name}`, ({ name, query, body }) => {
    return templates.put(name!, query, body);
  }, `${TIMEOUTS} cause create`);
  router.on("DELETE", `${index}/{name}`, ({ name }) => templates.delete(name!));
  router.on("POST", `${index}/_simulate/{name}`, ({ name, body }) => {
    return body === "" ? templates.simulate(name!) : notCovered("a template that is not kept");
  }, TIMEOUTS);
  router.on("POST", `${index}/_simulate_index/{name}`, ({ name, body }) => {
    return templates.simulateIndex(name!, body);
  }, TIMEOUTS);
  const component = "/_component_template";
  router.on("GET", component, () => components.get());
  router.on("GET HEAD", `${component}/{name}`, ({ name }) => components.get(name));
  router.on("PUT POST", `${component}/{name}`, ({ name, query, body }) => {
    return components.put(name!, query, body);
  });
  router.on("DELETE", `${component}/{name}`, ({ name }) => components.delete(name!));
}

function pipelineRoutes(router: Router, path: string, pipelines: Pipelines): void {
  const one = `${path}/{name}`;
  router.on("GET", path, () => pipelines.get());
  router.on("GET", one, ({ name }) => pipelines.get(name), TIMEOUTS);
  router.on("PUT", one, ({ name, body }) => pipelines.put(name!, body), TIMEOUTS);
  router.on("DELETE", one, ({ name }) => pipelines.delete(name!), TIMEOUTS);
}
