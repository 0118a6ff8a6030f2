import type { Aliases } from "./aliases.ts";
import type { IndexApi } from "./index_api.ts";
import { type Router, TIMEOUTS } from "./router.ts";

/** Indices as wholes, and their aliases. */
export function indexRoutes(router: Router, api: IndexApi, aliases: Aliases): void {
  router.on("PUT", "/{index}", ({ index, body }) => {
    return api.create(index!, body);
  }, `${TIMEOUTS} include_type_name wait_for_active_shards`);
  router.on("GET HEAD", "/{index}", ({ index, query }) => api.get(index!, query));
  router.on("DELETE", "/{index}", ({ index }) => api.delete(index!));
  router.on("GET", "/_mapping", () => api.mapping());
  router.on("GET", "/{index}/_mapping", ({ index }) => api.mapping(index));
  router.on("PUT POST", "/{index}/_mapping", ({ index, body }) => api.putMapping(index!, body));
  for (const path of ["", "/{index}"]) {
    router.on("PUT", `${path}/_settings`, ({ index = "_all", query, body }) => {
      return api.putSettings(index, query, body);
    }, PUT_SETTINGS);
    for (const name of ["", "/{name}"]) {
      router.on("GET", `${path}/_settings${name}`, ({ index, name, query }) => {
        return api.settings(index, name, query);
      });
    }
    router.on("GET POST", `${path}/_refresh`, ({ index }) => api.refresh(index));
  }
  router.on("POST", "/{index}/_open", ({ index }) => api.open(index!));
  router.on("POST", "/{index}/_close", ({ index }) => api.close(index!));
  router.on("PUT", "/{index}/_block/{name}", ({ index, name }) => api.block(index!, name!));
  router.on("PUT POST", "/{index}/_clone/{name}", ({ index, name, body }) => {
    return api.clone(index!, name!, body);
  });
  aliasRoutes(router, aliases);
}

const PUT_SETTINGS =
  `${TIMEOUTS} allow_no_indices expand_wildcards flat_settings ignore_unavailable preserve_existing`;

function aliasRoutes(router: Router, aliases: Aliases): void {
  router.on("POST", "/_aliases", ({ body }) => aliases.update(body));
  for (const path of ["/_alias", "/_aliases", "/{index}/_alias"]) {
    router.on("GET", path, ({ index }) => aliases.get(index, undefined));
  }
  router.on("GET HEAD", "/_alias/{name}", ({ name }) => aliases.get(undefined, name));
  for (const path of ["/{index}/_alias/{name}", "/{index}/_aliases/{name}"]) {
    router.on("GET HEAD", path, ({ index, name }) => aliases.get(index, name));
    router.on("PUT POST", path, ({ index, name, body }) => aliases.put(index!, name!, body));
    router.on("DELETE", path, ({ index, name }) => aliases.delete(index!, name!));
  }
}
