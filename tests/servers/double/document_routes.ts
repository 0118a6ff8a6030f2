import type { Bulk } from "./bulk.ts";
import type { ByQuery } from "./by_query.ts";
import type { DocumentApi } from "./document_api.ts";
import type { Documents } from "./documents.ts";
import { type Router, WRITE } from "./router.ts";
import type { Search } from "./search.ts";
import type { Tasks } from "./tasks.ts";

interface Parts {
  readonly documents: Documents;
  readonly search: Search;
  readonly tasks: Tasks;
  readonly api: DocumentApi;
  readonly bulk: Bulk;
  readonly byQuery: ByQuery;
}

/** Documents one by one and in bulk, searches, copies and the tasks behind them. */
export function documentRoutes(router: Router, parts: Parts): void {
  singleRoutes(router, parts);
  const { api, bulk, search, byQuery, tasks } = parts;
  for (const path of ["", "/{index}"]) {
    router.on("POST PUT", `${path}/_bulk`, ({ index, query, body }) => {
      return bulk.handle(index, query, body);
    });
    router.on("GET POST", `${path}/_mget`, ({ index, body }) => api.mget(index, body));
    router.on("GET POST", `${path}/_search`, ({ index = "_all", query, body }) => {
      return search.search(index, query, body);
    });
    router.on("GET POST", `${path}/_count`, ({ index = "_all", query, body }) => {
      return search.count(index, query, body);
    });
  }
  const opaqueId = (headers: Headers) => headers.get("X-Opaque-Id");
  router.on("POST", "/_reindex", ({ query, body, headers }) => {
    return byQuery.reindex(query, body, opaqueId(headers));
  });
  for (const kind of ["update", "delete"] as const) {
    router.on("POST", `/{index}/_${kind}_by_query`, ({ index, query, body, headers }) => {
      return byQuery.byQuery(kind, index!, query, body, opaqueId(headers));
    });
  }
  router.on("GET", "/_tasks", ({ query }) => tasks.list(query));
  router.on("GET", "/_tasks/{id}", ({ id, query }) => {
    return tasks.get(id!, query);
  }, "timeout wait_for_completion");
  router.on("POST", "/_tasks/{id}/_cancel", ({ id }) => tasks.cancel(id!));
}

function singleRoutes(router: Router, { documents, api }: Parts): void {
  const one = "/{index}/_doc/{id}";
  router.on("PUT POST", one, ({ index, id, query, body }) => {
    return api.write("index", index!, id!, query, body);
  }, WRITE);
  router.on("DELETE", one, ({ index, id, query }) => {
    return api.write("delete", index!, id!, query, "");
  }, WRITE);
  router.on("GET HEAD", one, ({ index, id, query }) => {
    return documents.get(index!, id!, query.get("_source") !== "false");
  });
  router.on("GET HEAD", "/{index}/_source/{id}", ({ index, id }) => documents.source(index!, id!));
  router.on("POST", "/{index}/_doc", ({ index, query, body }) => {
    return api.write("index", index!, undefined, query, body);
  }, WRITE);
  router.on("PUT POST", "/{index}/_create/{id}", ({ index, id, query, body }) => {
    return api.write("create", index!, id!, query, body);
  }, WRITE);
  router.on("POST", "/{index}/_update/{id}", ({ index, id, query, body }) => {
    return api.update(index!, id!, query, body);
  });
}
