import { quoted } from "../../text/mod.ts";
import { type FileProblem, InvalidFilesError } from "../../migrations/runner/mod.ts";
import { field, type Json, listOf } from "../../migrations/search/json/json_values.ts";
import { ROLE_MAPPINGS, USERS } from "../../migrations/search/kinds/security.ts";
import type { Kind } from "../../migrations/search/kinds/types.ts";
import {
  escapedText,
  filesOf,
  placeholderName,
  type WrittenResource,
} from "../pull/written_file.ts";
import { ofOneCluster, readResource, type Resource } from "./resource.ts";
import { type ManifestFile, readManifests } from "./manifests.ts";
import { RESOURCE_KINDS } from "./resources.ts";

/** Converts resources of the OpenSearch Kubernetes operator to files of migrations. @module */

export type Conversion = Awaited<ReturnType<typeof convertManifests>>;

export async function convertManifests(sources: readonly ManifestFile[], cluster?: string) {
  const { manifests, problems } = await readManifests(sources);
  const skipped: string[] = [];
  const all: Resource[] = [];
  for (const manifest of manifests) {
    // The definitions write `OpenSearchISMPolicy`, older texts `OpensearchISMPolicy`.
    const name = manifest.kind.toLowerCase();
    const kind = RESOURCE_KINDS.find(({ kind }) => kind.toLowerCase() === name);
    const resource = kind && readResource(manifest, kind);
    if (!kind) skipped.push(manifest.title);
    else if (resource) all.push(resource);
  }
  const rank = (problem: FileProblem) => sources.findIndex(({ path }) => path === problem.path);
  const warningsOnly = () => {
    const ordered = problems
      .toSorted((a, b) => rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0));
    const errors = ordered.filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw new InvalidFilesError(errors);
    return ordered;
  };
  warningsOnly();
  const made = writeAll(ofOneCluster(all, cluster));
  return { ...made, skipped, warnings: warningsOnly() };
}

function writeAll(resources: readonly Resource[]) {
  const unique = withoutCopies(resources);
  const of = (kind: Kind) => unique.filter(({ kind: { makes } }) => makes === kind);
  const users = of(USERS).toSorted((a, b) => a.name < b.name ? -1 : 1);
  const passwords = passwordsOf(users);
  const mappings = roleMappings(of(ROLE_MAPPINGS));
  const own = new Set(passwords.map(({ placeholder }) => placeholder));
  const escapedBody = (body: Json) => escapedText(JSON.stringify(body), (name) => own.has(name));
  for (const resource of unique) warnOfPlaceholders(resource, own);
  const made: readonly WrittenResource[] = [
    ...unique.filter(({ kind: { makes } }) => makes !== USERS && makes !== ROLE_MAPPINGS)
      .map(({ kind, name, body }) => ({ kind: kind.makes, name, body: escapedBody(body) })),
    ...users.map(({ name, body }, index) => {
      const password = `"password":"\${${passwords[index]!.placeholder}}"`;
      const rest = escapedBody(body).slice(1);
      return { kind: USERS, name, body: `{${password}${rest === "}" ? "" : ","}${rest}` };
    }),
    ...mappings.map(({ name, body }) => ({ kind: ROLE_MAPPINGS, name, body: escapedBody(body) })),
  ];
  // A file replaces the mapping of a role, and the operator only adds to it.
  return { files: filesOf(made), passwords, mappedRoles: mappings.map(({ name }) => name) };
}

/** A connection that declares such a placeholder would fill it in. */
function warnOfPlaceholders({ body, manifest }: Resource, own: ReadonlySet<string>): void {
  const found = [...JSON.stringify(body).matchAll(/\$\{([^{}"]+)\}/g)].map(([, name]) => name!);
  const names = [...new Set(found)]
    // Variables of the security plugin.
    .filter((name) => !own.has(name) && !/^(?:user|attr)\./.test(name)).slice(0, 3);
  if (names.length === 0) return;
  manifest.place.at("spec").warn(
    `It contains the text ${
      quoted(names.map((name) => `\${${name}}`))
    }: if 'migrations.placeholders' ` +
      "of the connection declares that name, write '$${…}' in the file",
  );
}

/** A resource that moved between the groups exists in both. Bindings are merged anyway. */
function withoutCopies(resources: readonly Resource[]): readonly Resource[] {
  const first = new Map<string, Resource>();
  return resources.filter((resource) => {
    const { kind: { makes }, name, manifest } = resource;
    if (makes === ROLE_MAPPINGS) return true;
    const key = `${makes.noun} ${name}`;
    const other = first.get(key);
    if (other === undefined) first.set(key, resource);
    else if (saidBy(other) !== saidBy(resource)) {
      manifest.place.refuse(`It defines '${name}' differently than ${other.manifest.title}`);
    }
    return other === undefined;
  });
}

function saidBy({ body, aside }: Resource): string {
  return JSON.stringify([body, aside.password_from]);
}

/** Several bindings may name one role, and a binding may name several. */
function roleMappings(bindings: readonly Resource[]) {
  const granted = bindings.flatMap(({ body, manifest: { place } }) => {
    const [users, backendRoles, roles] = [body.users, body.backend_roles, body.roles]
      .map((names) => listOf(names).map(String)) as [string[], string[], string[]];
    if (users.length + backendRoles.length === 0) {
      place.at("spec").warn("Left out: it maps its roles to no user");
      return [];
    }
    if (roles.length === 0) place.at("spec").at("roles").warn("Left out: it has no role");
    return roles.map((role) => ({ role, backend_roles: backendRoles, users }));
  });
  return [...Map.groupBy(granted, ({ role }) => role)].map(([name, all]) => {
    const lists = (["backend_roles", "users"] as const)
      .map((member) => [member, [...new Set(all.flatMap((one) => one[member]))]] as const);
    return { name, body: Object.fromEntries(lists.filter(([, names]) => names.length > 0)) };
  });
}

/** With the Secret of Kubernetes that has it, in the namespace of the user. */
function passwordsOf(users: readonly Resource[]) {
  return users.map(({ name, aside: { password_from: from }, manifest: { namespace } }) => ({
    user: name,
    placeholder: placeholderName("USER", name, "PASSWORD"),
    secret: String(field(from, "name") ?? ""),
    key: String(field(from, "key") ?? ""),
    ...(namespace !== undefined && { namespace }),
  }));
}
