import type { MigrationFile } from "../runner/mod.ts";
import { readEnvelope } from "./envelope.ts";
import { invalid, type JsonObject, member, membersOf, parseObject } from "./json.ts";
import { indexNameProblem, nameOfFile, policyNameProblem, templateNameProblem } from "./names.ts";
import { capitalPattern, isDefinition, templateBody } from "./template.ts";
import type { SearchMigration } from "./types.ts";

/**
 * What a JSON file is and the request it becomes (reference 4.4): an explicit envelope first, then the file name, then
 * the content.
 *
 * @throws {InvalidFileError} for broken JSON and for what is none of these
 */
export function classify(file: MigrationFile): SearchMigration {
  const json = parseObject(file);
  const envelope = readEnvelope(file, json);
  if (envelope) {
    const { request, name } = envelope;
    const { method, path } = request;
    const repeatSafe = method !== "POST" && method !== "PATCH";
    const resource = name ?? `${method} ${path.split("?")[0]}`;
    return { ...base(file, resource), kind: "request", name: resource, request, repeatSafe };
  }
  const name = nameOfFile(file.path);
  if (file.path.endsWith("-template.json")) return template(file, json, name);
  if (file.path.endsWith("-policy.json")) return policy(file, json, name);
  if (member(json.members, "index_patterns")) return template(file, json, name);
  if (member(json.members, "policy")?.kind === "object") return policy(file, json, name);
  if (isDefinition(json)) return index(file, json, name.toLowerCase());
  throw invalid(
    file,
    json.text,
    0,
    "Cannot tell what the file is: expected a request ('method' and 'path'), an index template " +
      "('index_patterns'), a policy ('policy') or an index ('settings', 'mappings', 'aliases')",
  );
}

function template(file: MigrationFile, json: JsonObject, name: string): SearchMigration {
  refuse(file, json, templateNameProblem(name));
  const capital = capitalPattern(json);
  if (capital) {
    const message =
      `The patterns ${capital.source} match no index: names of indices have no capital letters`;
    throw invalid(file, json.text, capital.offset, message);
  }
  const path = `/_index_template/${encodeURIComponent(name)}`;
  return {
    ...base(file, name),
    kind: "template",
    name,
    request: { method: "PUT", path, body: templateBody(file, json, name) },
  };
}

/** `states` make an ISM policy of OpenSearch, `phases` an ILM policy of Elasticsearch. */
function policy(file: MigrationFile, json: JsonObject, name: string): SearchMigration {
  refuse(file, json, policyNameProblem(name));
  const body = member(json.members, "policy");
  if (body?.kind !== "object") {
    const offset = body?.offset ?? 0;
    throw invalid(file, json.text, offset, "A policy file needs an object 'policy'");
  }
  const members = membersOf(json.text, body);
  const ilm = member(members, "phases") !== undefined && member(members, "states") === undefined;
  const prefix = ilm ? "/_ilm/policy" : "/_plugins/_ism/policies";
  const path = `${prefix}/${encodeURIComponent(name)}`;
  return {
    ...base(file, name),
    kind: "policy",
    name,
    policy: ilm ? "ilm" : "ism",
    request: { method: "PUT", path, body: json.text },
  };
}

function index(file: MigrationFile, json: JsonObject, name: string): SearchMigration {
  refuse(file, json, indexNameProblem(name));
  const request = { method: "PUT", path: `/${encodeURIComponent(name)}`, body: json.text };
  return { ...base(file, name), kind: "index", name, request };
}

function base(file: MigrationFile, resource: string) {
  return { file, resource, onChange: "reapply", repeatSafe: true } as const;
}

function refuse(file: MigrationFile, json: JsonObject, problem: string | undefined): void {
  if (problem !== undefined) throw invalid(file, json.text, 0, problem);
}
