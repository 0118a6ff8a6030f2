/** A file of a connection's folder. */
export interface ResourceFile {
  /** Below the folder of the connection. */
  readonly path: string;
  readonly text: string;
}

/** What a file makes, by the ending of its name. */
export type Ending = keyof typeof KINDS;

/** Folders are in the order in which one kind needs another. */
const KINDS = {
  component: { folder: "50-components", method: "PUT", path: "/_component_template" },
  template: { folder: "55-templates", method: "PUT", path: "/_index_template" },
  policy: { folder: "60-policies", method: "PUT", path: "/_plugins/_ism/policies" },
  snapshots: { folder: "65-snapshots", method: "POST", path: "/_plugins/_sm/policies" },
  "action-group": {
    folder: "80-action-groups",
    method: "PUT",
    path: "/_plugins/_security/api/actiongroups",
  },
  tenant: { folder: "82-tenants", method: "PUT", path: "/_plugins/_security/api/tenants" },
  role: { folder: "84-roles", method: "PUT", path: "/_plugins/_security/api/roles" },
  user: { folder: "86-users", method: "PUT", path: "/_plugins/_security/api/internalusers" },
  "role-mapping": {
    folder: "88-role-mappings",
    method: "PUT",
    path: "/_plugins/_security/api/rolesmapping",
  },
} as const;

/** The file that makes a resource: named after it, or a request in full where no file can have such a name. */
export function fileOf(ending: Ending, name: string, body: unknown): ResourceFile {
  const { folder, method, path } = KINDS[ending];
  if (/^[a-z\d][a-z\d._-]*$/.test(name)) {
    return { path: `${folder}/${name}-${ending}.json`, text: textOf(body) };
  }
  const request = { method, path: `${path}/${encodeURIComponent(name)}`, body };
  return { path: `${folder}/${fileName(name)}-${ending}.json`, text: textOf(request) };
}

function textOf(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** One name a file, whatever the system makes of capital letters: bytes of other characters are written in hex. */
function fileName(name: string): string {
  const bytes = new TextEncoder().encode(name);
  return "=" + Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return /[a-z\d._-]/.test(character) ? character : `=${byte.toString(16).padStart(2, "0")}`;
  }).join("");
}
