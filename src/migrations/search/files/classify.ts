import { printable } from "../../../text/mod.ts";
import type { LoadedFile } from "../../runner/mod.ts";
import { member, objectText } from "../json/json.ts";
import { indexNameProblem, LIFECYCLES, templateNameProblem } from "../kinds/named.ts";
import { POLICIES } from "../kinds/policies.ts";
import { resourceOf } from "../kinds/resource.ts";
import type { MemberKind } from "../kinds/types.ts";
import type { Classified, SearchMigration } from "../types.ts";
import { conventionOf, ENDINGS, expectedOf, isBodyOf, nameOfFile } from "./conventions.ts";
import { readEnvelope } from "./envelope.ts";
import { type JsonFile, type MissingMembers, readJson } from "./json_file.ts";
import { type Placeholders, unfilledSecret } from "./placeholders.ts";

/**
 * Reads a JSON file once, into a value that says what it is and which request it becomes. Its bytes are not kept.
 * @param placeholders filled in before it is parsed @throws {InvalidFilesError}
 */
export function classify(
  file: LoadedFile,
  onChange: SearchMigration["onChange"],
  placeholders: Placeholders = {},
): SearchMigration {
  const json = readJson(file, placeholders);
  const classified = classifyContent(json);
  json.refuseIf(unfilledSecret(classified.request.path, json.source, placeholders));
  const { bytes: _, ...identity } = file;
  return {
    ...classified,
    resource: printable(classified.resource),
    file: identity,
    json,
    onChange,
    // A folder such as `40-pipelines` says when it runs, and what contradicts it later runs again.
    unordered: resourceOf(classified.request) !== undefined &&
      (classified.request.method === "DELETE" || /^\d+-[a-z][^/]*\//i.test(file.path)),
    transactional: false,
  };
}

/**
 * Finds the kind of a file and its request (reference 4.4): by an explicit envelope first, then the file name, then the
 * content. Endings of other kinds count only for files that are none of these. @throws {InvalidFilesError}
 */
export function classifyContent(json: JsonFile): Classified {
  const found = readEnvelope(json) ?? byName(json);
  if ("expected" in found) json.refuseWithout(found);
  return found;
}

function byName(json: JsonFile): Classified | MissingMembers {
  const { members, path } = json;
  const name = nameOfFile(path);
  const convention = conventionOf(path);
  if (COMPONENT_TEMPLATE.test(path) && !member(members, "index_patterns")) {
    return byEnding(json, conventionOf(path.replace(COMPONENT_TEMPLATE, "-component.json"))!);
  }
  if (convention?.ending === ENDINGS.template) return template(json, name);
  if (convention?.ending === ENDINGS.policy) return policy(json, name);
  if (member(members, "index_patterns")) return template(json, name);
  if (member(members, "policy")?.kind === "object") return policy(json, name);
  if (members.some((part) => PARTS.includes(part.name))) return index(json, name.toLowerCase());
  if (convention) return byEnding(json, convention);
  refuseFields(json);
  const object = ["policy", ...PARTS];
  return {
    expected: { string: ["method", "path"], array: ["index_patterns"], object },
    message:
      "Cannot determine what the file defines: expected a request ('method' and 'path'), an index template " +
      "('index_patterns'), a policy ('policy'), an index ('settings', 'mappings', 'aliases') or a name " +
      "with an ending such as '-role.json'",
  };
}

const PARTS = ["settings", "mappings", "aliases"];

/** An index template with this name is known by its patterns. */
const COMPONENT_TEMPLATE = /-component-template\.json$/i;

function template(json: JsonFile, name: string): Classified | MissingMembers {
  json.refuseIf(templateNameProblem(name));
  const order = member(json.members, "order");
  if (order) {
    json.refuse(
      order.offset,
      "'order' is of legacy templates, which this file does not make: write 'priority', or the request " +
        `{ "method": "PUT", "path": "/_template/${name}", "body": … }`,
    );
  }
  const patterns = member(json.members, "index_patterns");
  const hasCapital = [patterns?.data ?? []].flat()
    .some((pattern) => typeof pattern === "string" && pattern !== pattern.toLowerCase());
  if (patterns && hasCapital) {
    const reason = "names of indices have no capital letters";
    json.refuse(patterns.offset, `The patterns ${patterns.source} match no index: ${reason}`);
  }
  const body = templateBody(json, name);
  if (typeof body !== "string") return body;
  return put("template", name, `/_index_template/${encodeURIComponent(name)}`, body);
}

/**
 * The body of a composable index template (reference 4.4 rules 1 and 2): a whole one unchanged; bare settings, mappings
 * and aliases below `template`, with `["{name}*"]` as patterns unless the file lists its own.
 */
function templateBody(json: JsonFile, name: string): string | MissingMembers {
  const { text, members } = json;
  const patterns = member(members, "index_patterns");
  const whole = member(members, "template");
  const defaults = `"index_patterns":${JSON.stringify([`${name}*`])}`;
  const parts = Object.groupBy(members, (part) => PARTS.includes(part.name) ? "inside" : "beside");
  if (parts.inside) {
    if (whole) {
      const message = "Expected 'settings', 'mappings' and 'aliases' below 'template', found both";
      json.refuse(whole.offset, message);
    }
    return objectText([
      ...patterns ? [] : [{ source: defaults }],
      ...parts.beside ?? [],
      { source: `"template":${objectText(parts.inside)}` },
    ]);
  }
  if (patterns) return text;
  if (!whole) {
    refuseFields(json);
    const policy = member(members, "policy");
    if (policy) {
      const message = "Found 'policy' in a file named as a template: name it '*-policy.json'";
      json.refuse(policy.offset, message);
    }
    const expected = "'index_patterns', 'template', 'settings', 'mappings' or 'aliases'";
    const message = `Expected an index template with ${expected}, found none of them`;
    return { expected: { array: ["index_patterns"], object: ["template", ...PARTS] }, message };
  }
  const start = text.indexOf("{") + 1;
  return `${text.slice(0, start)}${defaults},${text.slice(start)}`;
}

function refuseFields(json: JsonFile): void {
  const fields = member(json.members, "properties");
  if (fields) {
    json.refuse(fields.offset, "Expected 'properties' below 'mappings', found it at the top");
  }
}

/** A policy of OpenSearch (ISM) has `states`, a policy of Elasticsearch (ILM) has `phases`. */
function policy(json: JsonFile, name: string): Classified | MissingMembers {
  if (name === "") json.refuse(0, "The file name contains no name for the policy");
  const body = member(json.members, "policy");
  if (body?.kind !== "object") {
    const message = "A policy file needs an object 'policy'";
    if (body) json.refuse(body.offset, message);
    return { expected: { object: ["policy"] }, message };
  }
  const has = (name: string) => member(body.members, name) !== undefined;
  const { path } = has("phases") && !has("states") ? LIFECYCLES : POLICIES;
  return put("policy", name, path(encodeURIComponent(name)), json.text);
}

function index(json: JsonFile, name: string): Classified {
  json.refuseIf(indexNameProblem(name));
  return put("index", name, `/${encodeURIComponent(name)}`, json.text);
}

/** A file is sent unchanged, without members that clusters show and do not accept. */
function byEnding(
  json: JsonFile,
  { ending, name, kinds }: NonNullable<ReturnType<typeof conventionOf>>,
): Classified | MissingMembers {
  const kind = kinds.find((kind) => isBodyOf(kind.file, json.members));
  if (kind === undefined) {
    const expected = kinds.map((kind) => expectedOf(kind.file)).join("; or ");
    const members = (kind: MemberKind) =>
      kinds.flatMap(({ file: { members } }) => members?.[kind] ?? []);
    return {
      expected: { array: members("array"), object: members("object"), string: members("string") },
      message: `A file '*${ending}.json' needs ${expected}`,
    };
  }
  const { shownOnly = [], isEmpty, nameProblem } = kind.file;
  const resource = kind.isSingle ? kind.noun : name;
  json.refuseIf(resource === "" ? "The file name contains no name" : nameProblem?.(name));
  const own = json.members.filter((member) => !shownOnly.includes(member.name));
  const body = own.length === json.members.length ? json.text : objectText(own);
  const path = kind.path(encodeURIComponent(name));
  return put(ending.slice(1), resource, path, isEmpty ? undefined : body);
}

function put(kind: string, resource: string, path: string, body?: string): Classified {
  const request = { method: "PUT", path, ...(body !== undefined && { body }) };
  return { kind, resource, request, repeatSafe: true };
}
