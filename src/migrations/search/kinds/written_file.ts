import { nameOfFile, templateNameProblem } from "../names.ts";
import { CLUSTER_SETTINGS } from "./cluster_settings.ts";
import { DATA_STREAMS } from "./data_streams.ts";
import { conventionOf } from "./files.ts";
import { LIFECYCLES, PIPELINES, REPOSITORIES, SEARCH_PIPELINES } from "./named.ts";
import { POLICIES } from "./policies.ts";
import { SCRIPTS } from "./scripts.ts";
import {
  ACTION_GROUPS,
  ELASTIC_ROLE_MAPPINGS,
  ELASTIC_ROLES,
  ELASTIC_USERS,
  ROLE_MAPPINGS,
  ROLES,
  TENANTS,
  USERS,
} from "./security.ts";
import { SNAPSHOT_LIFECYCLES, SNAPSHOT_POLICIES } from "./snapshot_policies.ts";
import { COMPONENT_TEMPLATES, INDEX_TEMPLATES } from "./templates.ts";
import type { Kind } from "./types.ts";

/** A file of a connection's folder. */
export interface WrittenFile {
  /** Below the folder of the connection. */
  readonly path: string;
  readonly text: string;
}

/**
 * The file that makes a resource, in a folder of its kind: named after it by the convention, or, where no file can have
 * such a name, with the request in full.
 *
 * @param body what the request has; of an ISM policy with `policy` around it
 */
export function fileOf(kind: Kind, name: string, body: unknown): WrittenFile {
  const folder = FOLDERS.get(kind) ?? "99-others";
  const ending = ENDINGS.get(kind) ?? kind.file?.ending;
  const path = `${folder}/${name}${ending}.json`;
  if (ending !== undefined && isName(name) && saysName(path, kind, name)) {
    return { path, text: textOf(body) };
  }
  const request = {
    method: kind.create ?? "PUT",
    path: kind.path(encodeURIComponent(name)),
    body,
  };
  return { path: `${folder}/${escapedName(name)}${ending ?? ""}.json`, text: textOf(request) };
}

/** Their order is that of a run: what others refer to comes first. */
const FOLDERS: ReadonlyMap<Kind, string> = new Map([
  [REPOSITORIES, "10-repositories"],
  [CLUSTER_SETTINGS, "20-cluster-settings"],
  [SCRIPTS, "30-scripts"],
  [PIPELINES, "40-pipelines"],
  [SEARCH_PIPELINES, "45-search-pipelines"],
  [COMPONENT_TEMPLATES, "50-components"],
  [INDEX_TEMPLATES, "55-templates"],
  [POLICIES, "60-policies"],
  [LIFECYCLES, "60-policies"],
  [SNAPSHOT_POLICIES, "65-snapshots"],
  [SNAPSHOT_LIFECYCLES, "65-snapshots"],
  [DATA_STREAMS, "70-data-streams"],
  [ACTION_GROUPS, "80-action-groups"],
  [TENANTS, "82-tenants"],
  [ROLES, "84-roles"],
  [ELASTIC_ROLES, "84-roles"],
  [USERS, "86-users"],
  [ELASTIC_USERS, "86-users"],
  [ROLE_MAPPINGS, "88-role-mappings"],
  [ELASTIC_ROLE_MAPPINGS, "88-role-mappings"],
]);

/** Those that the reference has (4.4). */
const ENDINGS: ReadonlyMap<Kind, string> = new Map([
  [INDEX_TEMPLATES, "-template"],
  [POLICIES, "-policy"],
  [LIFECYCLES, "-policy"],
]);

const MOST_BYTES = 200;

/** Whether a file can be named so on every system, and two of them differ by more than capital letters. */
function isName(name: string): boolean {
  return /^[a-z\d][a-z\d._-]*$/.test(name) && name.length <= MOST_BYTES;
}

/** Whether a run reads the name from it that was put into it. */
function saysName(path: string, kind: Kind, name: string): boolean {
  if (ENDINGS.has(kind)) {
    return nameOfFile(path) === name &&
      (kind !== INDEX_TEMPLATES || templateNameProblem(name) === undefined);
  }
  const convention = conventionOf(path);
  return convention?.name === name && convention.ending === kind.file?.ending &&
    kind.file.nameProblem?.(name) === undefined;
}

function textOf(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** A name of its own for a file, with `=41` for what a file name had better not have. */
function escapedName(name: string): string {
  const bytes = new TextEncoder().encode(name);
  const text = Array.from(bytes, (byte, index) => {
    const character = String.fromCharCode(byte);
    const isPlain = (index === 0 ? /[a-z\d]/ : /[a-z\d._-]/).test(character);
    return isPlain ? character : `=${byte.toString(16).padStart(2, "0")}`;
  }).join("");
  return text.length <= MOST_BYTES ? text : `${text.slice(0, MOST_BYTES - 20)}=${hashOf(bytes)}`;
}

/** FNV-1a, 64 bits. */
function hashOf(bytes: Uint8Array): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}
