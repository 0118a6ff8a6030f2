import type { Lifecycles } from "./lifecycles.ts";
import type { ManagedIndices } from "./managed_indices.ts";
import type { Policies } from "./policies.ts";
import { type Router, TIMEOUTS } from "./router.ts";
import type { SnapshotPolicies } from "./snapshot_policies.ts";

const PAGE = "from queryString size sortField sortOrder";
const EXPLAIN = `${PAGE} ${TIMEOUTS} expand_wildcards local show_policy validate_action`;

/** Index state management. @param prefix `_plugins`, or `_opendistro` as it was once */
export function policyRoutes(
  router: Router,
  prefix: string,
  policies: Policies,
  managed: ManagedIndices,
): void {
  const ism = `/${prefix}/_ism`;
  const one = `${ism}/policies/{id}`;
  router.on("GET", `${ism}/policies`, ({ query }) => policies.list(query), PAGE);
  router.on("GET HEAD", one, ({ id }) => policies.get(id!), PAGE);
  router.on("PUT", one, ({ id, query, body }) => {
    return policies.put(id!, query, body);
  }, "if_primary_term if_seq_no refresh");
  router.on("DELETE", one, ({ id }) => policies.delete(id!), "refresh");
  for (const index of ["", "/{index}"]) {
    router.on("POST", `${ism}/add${index}`, ({ index, body }) => managed.add(index, body));
    router.on("POST", `${ism}/change_policy${index}`, ({ index, body }) => {
      return managed.changePolicy(index, body);
    });
    router.on("GET", `${ism}/explain${index}`, ({ index, query }) => {
      return managed.explain(index, query);
    }, EXPLAIN);
    router.on("POST", `${ism}/explain${index}`, ({ index, query, body }) => {
      return managed.explain(index, query, body);
    }, EXPLAIN);
  }
  router.on("POST", `${ism}/remove/{index}`, ({ index }) => managed.remove(index!));
  router.on("POST", `${ism}/retry/{index}`, ({ index }) => managed.retry(index!));
}

export function snapshotPolicyRoutes(router: Router, policies: SnapshotPolicies): void {
  const all = "/_plugins/_sm/policies";
  const one = `${all}/{name}`;
  router.on("GET", all, ({ query }) => policies.list(query), PAGE);
  router.on("GET", one, ({ name }) => policies.get(name!), "");
  for (const method of ["POST", "PUT"] as const) {
    router.on(method, one, ({ name, query, body }) => {
      return policies.put(method, name!, query, body);
    }, "if_primary_term if_seq_no");
  }
  router.on("DELETE", one, ({ name }) => policies.delete(name!), "");
  router.on("GET", `${one}/_explain`, ({ name }) => policies.explain(name!), "");
  router.on("POST", `${one}/_stop`, ({ name }) => policies.switch(name!, false), "");
  router.on("POST", `${one}/_start`, ({ name }) => policies.switch(name!, true), "");
}

export function lifecycleRoutes(router: Router, lifecycles: Lifecycles): void {
  const one = "/_ilm/policy/{name}";
  router.on("GET", "/_ilm/policy", () => lifecycles.list());
  router.on("GET", one, ({ name }) => lifecycles.get(name!));
  router.on("PUT", one, ({ name, body }) => lifecycles.put(name!, body));
  router.on("DELETE", one, ({ name }) => lifecycles.delete(name!));
}
