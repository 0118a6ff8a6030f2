import { assertEquals, assertInstanceOf, assertMatch } from "@std/assert";
import { FEATURES } from "../all.ts";
import { ConfirmationError } from "../../../src/migrations/runner/mod.ts";
import { lockOutWarnings } from "../../../src/features/lock_out/lock_out.ts";
import { classifierOf } from "../../../src/migrations/search/classifier.ts";
import { type ClusterDouble, startClusterDouble } from "../../servers/cluster_double.ts";
import { apply, connectionTo, planned, targetOf } from "../../migrations/search/runner.ts";

const authorization = `Basic ${btoa("admin:pass")}`;
const API = "/_plugins/_security/api/";
const mapping = (body: unknown, role = "all_access") => ({
  "1-map.json": JSON.stringify({ method: "PUT", path: `${API}rolesmapping/${role}`, body }),
});

/** As a real 2.19.4 and 3.4.0 answer the user 'admin'. */
const AUTHINFO = {
  user: "User [name=admin, backend_roles=[admin], requestedTenant=null]",
  user_name: "admin",
  user_requested_tenant: null,
  remote_address: "127.0.0.1:56624",
  backend_roles: ["admin"],
  custom_attribute_names: [],
  roles: ["own_index", "all_access"],
  tenants: { global_tenant: true, admin_tenant: true, admin: true },
  principal: null,
  peer_certificates: "0",
  sso_logout_url: null,
};

const connectionOf = ({ url }: ClusterDouble) => ({ ...connectionTo(url), authorization });

/** A cluster with users: who asks is 'admin'. */
function secured(entry: Record<string, unknown> = {}, authinfo = Response.json(AUTHINFO)) {
  return startClusterDouble({
    intercept: (line) => {
      if (line.endsWith("/authinfo")) return authinfo.clone();
      if (line === `GET ${API}internalusers/admin`) return Response.json({ admin: entry });
      if (line.includes(API)) return Response.json({ status: "OK", message: "updated." });
      return undefined;
    },
  });
}

const security = ({ requests }: ClusterDouble) =>
  requests.map(({ line }) => line).filter((line) => line.includes("_security"));

Deno.test("a run that locks its own user out applies nothing, and is applied when that is agreed to", async () => {
  await using double = secured();
  const files = mapping({ users: ["u1"] });
  const report = await apply(connectionOf(double), files);
  assertInstanceOf(report.error, ConfirmationError);
  assertEquals(
    report.error.message,
    "Nothing of 'logs' was applied: it wants '--yes'\n" +
      "logs/1-map.json: It maps the role 'all_access' to others: the user of this run ('admin' with the " +
      "backend role 'admin') loses it immediately; without other access only an admin certificate can restore it",
  );
  assertEquals(security(double), [
    "GET /_plugins/_security/authinfo",
    `GET ${API}internalusers/admin`,
  ]);
  assertEquals((await apply(connectionOf(double), files, { yes: true })).error, undefined);
  assertEquals(security(double).at(-1), `PUT ${API}rolesmapping/all_access`);
});

Deno.test("a mapping that keeps its user costs one request, and is applied", async () => {
  await using double = secured();
  assertEquals((await apply(double.url, mapping({ backend_roles: ["admin"] }))).error, undefined);
  assertEquals(security(double), [
    "GET /_plugins/_security/authinfo",
    `PUT ${API}rolesmapping/all_access`,
  ]);
  double.requests.length = 0;
  await apply(double.url, mapping({ backend_roles: ["admin"] }));
  assertEquals(double.requests.length, 1);
});

Deno.test("a role that the user's own entry gives it is not lost by a mapping", async () => {
  const entry = { backend_roles: ["admin"], opendistro_security_roles: ["all_access"] };
  await using double = secured(entry);
  const files = mapping({ users: ["u1"] });
  // An entry has no information about users who log in by a token, or come from another backend.
  assertInstanceOf((await apply(double.url, files)).error, ConfirmationError);
  assertEquals((await apply(connectionOf(double), files)).error, undefined);
  await using other = secured({ ...entry, backend_roles: ["others"] });
  assertInstanceOf((await apply(connectionOf(other), files)).error, ConfirmationError);
});

Deno.test("files that give the user another way in before are followed in order", async () => {
  await using double = secured({ backend_roles: ["admin"] });
  const user = {
    "0-user.json": JSON.stringify({
      method: "PUT",
      path: `${API}internalusers/admin`,
      body: { backend_roles: ["admin", "ops"] },
    }),
  };
  const files = { ...user, ...mapping({ backend_roles: ["ops"] }) };
  assertEquals((await apply(connectionOf(double), files)).error, undefined);
});

Deno.test("plan names a lock-out", async () => {
  await using double = secured();
  const { dangers } = await planned(double.url, mapping({ users: ["u1"] }));
  assertEquals(dangers?.map(({ path }) => path), ["1-map.json"]);
});

for (const status of [403, 404, 500]) {
  Deno.test(`a cluster that answers ${status} to the query of the user is reported, and all_access is not risked`, async () => {
    await using double = secured({}, Response.json({ error: "no" }, { status }));
    const notices: string[] = [];
    const run = (files: Record<string, string>) =>
      apply(connectionOf(double), files, {
        onEvent: (event) => event.type === "notice" && notices.push(event.message),
      });
    assertEquals((await run(mapping({ users: ["u1"] }, "readall"))).error, undefined);
    assertEquals(notices, [
      `The user of this run is unknown, and so is whether it locks itself out: HTTP ${status}: no`,
    ]);
    assertEquals((await run(mapping({ users: ["admin"] }))).error, undefined);
    const { error } = await run(mapping({ users: ["u1"] }));
    assertInstanceOf(error, ConfirmationError);
    assertMatch(
      error.message,
      /this run \(probably 'admin'; the cluster does not tell: HTTP \d+: no\) loses it immediately/,
    );
  });
}

Deno.test("files without users, roles and mappings do not query the user", async () => {
  await using double = secured();
  await apply(double.url, { "a-template.json": '{"index_patterns":["a-*"]}' });
  assertEquals(security(double), []);
});

const OFFLINE: readonly (readonly [string, string, unknown, string | undefined])[] = [
  [
    "PUT",
    "all_access",
    { users: ["u1"] },
    "Maps 'all_access' without 'admin', the user of this connection: that locks it out",
  ],
  [
    "PUT",
    "all_access",
    { backend_roles: ["ops"] },
    "Maps 'all_access' without 'admin', the user of this connection: that locks it out, unless it has 'ops'",
  ],
  [
    "DELETE",
    "all_access",
    undefined,
    "Deletes the mapping of 'all_access' without 'admin', the user of this connection: that locks it out",
  ],
  ["PUT", "all_access", { users: ["ad*"] }, undefined],
  ["PUT", "readall", { users: ["u1"] }, undefined],
];

for (const [method, role, body, message] of OFFLINE) {
  const name = `${method} of ${role} to ${JSON.stringify(body)}`;
  Deno.test(`validate ${message ? "warns of" : "takes"} ${name}`, async () => {
    const text = JSON.stringify({ method, path: `${API}rolesmapping/${role}`, body });
    const connection = { ...connectionTo("http://h"), authorization };
    const { offers } = targetOf(connection);
    const classifier = classifierOf(connection);
    const migration = classifier.classify({
      path: "1.json",
      location: "/1.json",
      hash: "h",
      bytes: new TextEncoder().encode(text),
    });
    const files = { migrations: [migration], paths: ["1.json"], offers };
    const check = (purpose: "validate" | "run") =>
      FEATURES.problems((one) => one.check?.({ ...files, purpose }));
    const found = await check("validate");
    assertEquals(found.map((problem) => problem.message), message ? [message] : []);
    assertEquals(await check("run"), []);
    assertEquals(lockOutWarnings({}, [migration]), []);
  });
}

Deno.test("what is taken from the user's own entry is named", async () => {
  const self = "the user of this run ('admin' with the backend role 'admin')";
  const found: readonly (readonly [string, unknown, string])[] = [
    ["DELETE", undefined, `It deletes ${self}, immediately`],
    ["PUT", { backend_roles: [] }, `It takes the backend role 'admin' from ${self}, immediately`],
    ["PUT", { backend_roles: ["admin"], hash: "$2y$" }, `It changes the password of ${self}`],
  ];
  for (const [method, body, message] of found) {
    await using double = secured();
    const path = `${API}internalusers/admin`;
    const { dangers } = await planned(double.url, {
      "1.json": JSON.stringify({ method, path, body }),
    });
    assertEquals(dangers?.map((danger) => danger.message.startsWith(message)), [true]);
  }
});
