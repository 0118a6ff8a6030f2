import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { accessOf } from "../../../src/features/lock_out/access.ts";
import {
  accessLossOf,
  type Identity,
  identityAfter,
  isMapped,
} from "../../../src/features/lock_out/access_loss.ts";

const API = "/_plugins/_security/api/";
const ME: Identity = {
  user: "admin",
  backendRoles: ["admin", "ops"],
  roles: ["all_access", "own_index"],
  address: "10.1.2.3",
  password: "pass",
};
const put = (path: string, body: unknown) => ({
  method: "PUT",
  path: API + path,
  body: JSON.stringify(body),
});
const patch = (path: string, ...operations: unknown[]) => ({
  method: "PATCH",
  path: API + path,
  body: JSON.stringify(operations),
});
const remove = (path: string) => ({ method: "DELETE", path: API + path });
const ALL = "rolesmapping/all_access";

const SAFE: readonly (readonly [string, Parameters<typeof accessLossOf>[0], Partial<Identity>?])[] =
  [
    ["the user by its name", put(ALL, { users: ["admin"] })],
    ["the user by a pattern", put(ALL, { users: ["adm*"] })],
    ["everybody", put(ALL, { users: ["*"] })],
    ["a single character", put(ALL, { users: ["admi?"] })],
    ["an expression", put(ALL, { users: ["/ad(min|visor)/"] })],
    ["a backend role", put(ALL, { users: ["u1"], backend_roles: ["ops"] })],
    ["all of some backend roles", put(ALL, { and_backend_roles: ["admin", "o*"] })],
    ["the address", put(ALL, { hosts: ["10.1.*"] })],
    ["a role that the user does not have", put("rolesmapping/readall", { users: ["u1"] })],
    ["a role that its own entry gives it", put(ALL, { users: ["u1"] }), {
      ownRoles: ["all_access"],
    }],
    ["a mapping that gets one more user", patch(ALL, { op: "add", path: "/users/-", value: "u1" })],
    [
      "a list that still has the user",
      patch(ALL, { op: "replace", path: "/users", value: ["admin"] }),
    ],
    ["a test", patch(ALL, { op: "test", path: "/users", value: [] })],
    ["the description of a mapping", patch(ALL, { op: "remove", path: "/description" })],
    ["another role in a patch of all", patch("rolesmapping", { op: "remove", path: "/readall" })],
    ["another user", put("internalusers/u1", { password: "x" })],
    ["another user that is deleted", remove("internalusers/u1")],
    [
      "the own user with what it has",
      put("internalusers/admin", { password: "pass", backend_roles: ["ops", "admin", "new"] }),
    ],
    [
      "an attribute of the own user",
      patch("internalusers/admin", { op: "remove", path: "/attributes/k" }),
    ],
    ["a role that the user does not have, changed", put("roles/app", { cluster_permissions: [] })],
    ["another user by the second path", put("user/u1", { password: "x" })],
    ["the own password as it is", put("account", { current_password: "pass", password: "pass" })],
    ["an expression of classes", put(ALL, { users: ["/(?:[a-c]|x)[a-z._-]{3,9}\\w?/"] })],
    ["a tenant", put("tenants/t", { description: "d" })],
    ["a cache that is emptied", remove("cache")],
    ["a token", { method: "POST", path: `${API}internalusers/admin/authtoken` }],
    ["an action group that all_access does not need", put("actiongroups/g", {})],
    [
      "an unreadable patch of another mapping",
      { method: "PATCH", path: `${API}rolesmapping/readall`, body: "x" },
    ],
    ["a GET", { method: "GET", path: API + ALL }],
  ];

for (const [name, request, rest] of SAFE) {
  Deno.test(`accessLossOf takes no offence at ${name}`, () => {
    assertEquals(accessLossOf(request, { ...ME, ...rest }), undefined);
  });
}

const LOST: readonly (readonly [string, Parameters<typeof accessLossOf>[0], Partial<Identity>?])[] =
  [
    ["a mapping to another user", put(ALL, { users: ["u1"] })],
    ["an empty mapping", put(ALL, {})],
    ["a mapping that is none", { method: "PUT", path: API + ALL, body: "no JSON" }],
    ["one of two backend roles", put(ALL, { and_backend_roles: ["admin", "other"] })],
    ["an expression that is none", put(ALL, { users: ["/(/"] })],
    ["another case", put(ALL, { users: ["Admin"] })],
    ["a role of the user that is not all_access", put("rolesmapping/own_index", { users: ["u1"] })],
    ["the old path", {
      method: "DELETE",
      path: "/_opendistro/_security/api/rolesmapping/all_access",
    }],
    ["a name in escapes", put("rolesmapping/all%5Faccess", { users: ["u1"] })],
    ["a query", { method: "DELETE", path: `${API + ALL}?pretty` }],
    ["a deleted mapping", remove(ALL)],
    ["a user that leaves a mapping", patch(ALL, { op: "remove", path: "/users/0" })],
    ["a user that is replaced in it", patch(ALL, { op: "replace", path: "/users/0", value: "u1" })],
    ["a list that was deleted", patch(ALL, { op: "remove", path: "/backend_roles" })],
    ["a list that is moved", patch(ALL, { op: "move", from: "/users", path: "/hosts" })],
    ["a list of others", patch(ALL, { op: "add", path: "/backend_roles", value: ["b"] })],
    ["a patch of all that takes it", patch("rolesmapping", { op: "remove", path: "/all_access" })],
    [
      "a patch of all that replaces it",
      patch("rolesmapping", { op: "replace", path: "/all_access", value: { users: ["u1"] } }),
    ],
    [
      "a patch of all into it",
      patch("rolesmapping", { op: "remove", path: "/all_access/backend_roles/0" }),
    ],
    ["the own user deleted", remove("internalusers/admin")],
    ["the own user in a patch of all", patch("internalusers", { op: "remove", path: "/admin" })],
    ["a backend role that is missing", put("internalusers/admin", { backend_roles: ["ops"] })],
    [
      "backend roles that were deleted",
      patch("internalusers/admin", { op: "remove", path: "/backend_roles/0" }),
    ],
    [
      "a role that its own entry gave it",
      put("internalusers/admin", { backend_roles: ["admin", "ops"] }),
      { ownRoles: ["all_access"] },
    ],
    [
      "another password",
      put("internalusers/admin", { backend_roles: ["admin", "ops"], password: "other" }),
    ],
    ["the own user deleted by the second path", remove("user/admin")],
    ["the own user by the second old path", {
      method: "DELETE",
      path: "/_opendistro/_security/api/user/admin",
    }],
    ["backend roles by the second path", put("user/admin", { password: "pass" })],
    [
      "another password of the account",
      put("account", { current_password: "pass", password: "b" }),
    ],
    ["a hash of the account", put("account", { current_password: "pass", hash: "$2y$" })],
    ["an account that is no JSON", { method: "PUT", path: `${API}account`, body: "{} x" }],
    ["an escape that is none here", put(ALL, { users: ["/\\admin/"] })],
    ["an intersection of Java", put(ALL, { backend_roles: ["/[admin&&d]+/"] })],
    ["a class of Java", put(ALL, { users: ["/a[\\u]?dmin/"] })],
    ["a flag of Java", put(ALL, { users: ["/(?i:ADMIN)/"] })],
    ["an expression that is tried without an end", put(ALL, { users: ["/(a+)+b/"] }), {
      user: `${"a".repeat(60)}!`,
    }],
    ["many choices", put(ALL, { users: [`/${"a?".repeat(40)}b/`] }), { user: "a".repeat(40) }],
    ["many stars", put(ALL, { users: [`${"*a".repeat(40)}b`] }), { user: "a".repeat(300) }],
    [
      "a service account of its own",
      put("internalusers/admin", {
        backend_roles: ["admin", "ops"],
        attributes: { service: "true" },
      }),
    ],
    [
      "a service account by the second path",
      put("user/admin", { backend_roles: ["admin", "ops"], attributes: { service: true } }),
    ],
    ["slashes at the end", put(`${ALL}//`, { users: ["u1"] })],
    ["slashes within", put("rolesmapping//all_access", { users: ["u1"] })],
    ["escapes in the path", {
      method: "DELETE",
      path: "/_plugins/%5Fsecurity/api/roles%6dapping/all_access",
    }],
    ["a patch with more after it", {
      method: "PATCH",
      path: API + ALL,
      body: '[{"op":"remove","path":"/users/0"}] x',
    }],
    ["a patch that is none", patch(ALL, "x")],
    ["an operation that is not known", patch(ALL, { op: "REMOVE", path: "/users/0" })],
    ["a pointer that is none", patch(ALL, { op: "remove", path: "users/0" })],
    ["a patch of the root", patch(ALL, { op: "replace", path: "", value: { users: ["u7"] } })],
    ["a patch of the root of all", patch("rolesmapping", { op: "replace", path: "", value: {} })],
    ["an unreadable patch of all users", patch("internalusers", 1)],
    [
      "a configuration",
      patch("securityconfig", { op: "add", path: "/config/dynamic/x", value: 1 }),
    ],
    ["an unknown API", put("allowlist/x", {})],
    ["a hash", patch("internalusers/admin", { op: "add", path: "/hash", value: "$2y$" })],
  ];

for (const [name, request, rest] of LOST) {
  Deno.test(`accessLossOf finds ${name}`, () => {
    assertEquals(accessLossOf(request, { ...ME, ...rest })?.kind, "lost");
  });
}

Deno.test("accessLossOf finds who takes all_access from others", () => {
  const who = { ...ME, roles: ["security"] };
  for (const request of [remove(ALL), put(ALL, { users: ["typo"] })]) {
    assertEquals(accessLossOf(request, who)?.role, "all_access");
  }
  assertEquals(accessLossOf(put(ALL, { users: ["admin"] }), who), undefined);
});

Deno.test("accessLossOf doubts a change of a role that the user has", () => {
  const dls = { op: "add", path: "/own_index/index_permissions/0/fls/0", value: "a" };
  const found = [put("roles/own_index", {}), remove("roles/own_index"), patch("roles", dls)];
  for (const request of found) assertEquals(accessLossOf(request, ME)?.kind, "doubtful");
});

Deno.test("accessLossOf doubts a change of an action group where the user has not all_access", () => {
  const deployer = { ...ME, roles: ["deploy"] };
  const found = [put("actiongroups/g", {}), remove("actiongroup/g"), patch("actiongroups", 1)];
  for (const request of found) assertEquals(accessLossOf(request, deployer)?.kind, "doubtful");
  const more = patch("actiongroups/g", { op: "add", path: "/allowed_actions/-", value: "a" });
  assertEquals(accessLossOf(more, deployer), undefined);
});

Deno.test("accessLossOf never says a password", () => {
  const request = put("internalusers/admin", {
    backend_roles: ["admin", "ops"],
    password: "s3cret",
  });
  assertEquals(JSON.stringify(accessLossOf(request, ME)).includes("s3cret"), false);
});

Deno.test("identityAfter has the backend roles that a file gives the own user", () => {
  const request = put("internalusers/admin", {
    backend_roles: ["x"],
    opendistro_security_roles: ["r"],
  });
  assertEquals(identityAfter(request, ME), ME);
  const { backendRoles, ownRoles } = identityAfter(request, { ...ME, ownRoles: [] });
  assertEquals([backendRoles, ownRoles], [["x"], ["r"]]);
  assertEquals(identityAfter(put("internalusers/u1", {}), ME), ME);
  assertEquals(identityAfter(put(ALL, {}), ME), ME);
});

Deno.test("accessOf tells paths of the security plugin alone", () => {
  assertEquals(accessOf(put(ALL, {})), { noun: "role mapping", name: "all_access" });
  assertEquals(accessOf(patch("roles")), { noun: "role" });
  assertEquals(accessOf({ method: "PUT", path: "/_security/role/all_access" }), undefined);
  assertEquals(accessOf({ method: "PUT", path: `${API}rolesmapping/a/b` }), undefined);
});

Deno.test("isMapped: the name itself, or a pattern made of it, always maps", () => {
  const text = fc.string({ minLength: 1, maxLength: 12 }).filter((name) => !/^\/|[*?]/.test(name));
  fc.assert(fc.property(text, text, fc.nat(12), (user, other, at) => {
    const who = { user, backendRoles: [user] };
    const start = user.slice(0, at);
    assertEquals(isMapped({ users: [other, user] }, who), true);
    assertEquals(isMapped({ backend_roles: [`${start}*`] }, who), true);
    assertEquals(isMapped({ users: [other] }, who), other === user);
    assertEquals(isMapped({ and_backend_roles: [user, other] }, who), other === user);
  }));
});

Deno.test("accessLossOf and identityAfter take whatever JSON a file has", () => {
  const lists = fc.constantFrom(
    ALL,
    "rolesmapping",
    "internalusers/admin",
    "internalusers",
    "roles",
  );
  const methods = fc.constantFrom("PUT", "PATCH", "DELETE");
  fc.assert(fc.property(lists, methods, fc.jsonValue(), (list, method, body) => {
    const request = { method, path: API + list, body: JSON.stringify(body) };
    accessLossOf(request, ME);
    identityAfter(request, ME);
  }));
});
