import type { LoadedFile } from "../../runner/mod.ts";
import { JsonFile, member, membersOf, objectText } from "../json/json.ts";
import { LIFECYCLES } from "../kinds/named.ts";
import { POLICIES } from "../kinds/policies.ts";
import { KINDS } from "../kinds/resource.ts";
import {
  expectedOf,
  indexNameProblem,
  isBodyOf,
  nameOfFile,
  templateNameProblem,
} from "../kinds/names.ts";
import type { Kind, KindFile, MemberKind } from "../kinds/types.ts";
import type { Placeholders, SearchMigration } from "../types.ts";
import { readEnvelope } from "./envelope.ts";
import { filledFile, unfilledSecret } from "./placeholders.ts";

type Classified = Pick<SearchMigration, "kind" | "resource" | "request" | "repeatSafe">;

/**
 * What a JSON file is and the request it becomes (reference 4.4): an explicit envelope first, then the file name, then the
 * content. Endings of other kinds count only for files that are none of these.
 * @param placeholders filled in before; without any, the file is not searched for them @throws {InvalidFilesError}
 */
export function classify(
  file: LoadedFile,
  onChange: SearchMigration["onChange"],
  placeholders: Placeholders = {},
): SearchMigration {
  const json = new JsonFile(filledFile(file, placeholders));
  const classified = readEnvelope(json) ?? byName(json);
  const source = json.file.filled?.source ?? json.text;
  json.refuseIf(unfilledSecret(classified.request, source, placeholders));
  return { ...classified, file, onChange, transactional: false };
}

function byName(json: JsonFile): Classified {
  const { members, file: { path } } = json;
  const name = nameOfFile(path);
  const ending = endingOf(path);
  if (path.endsWith(COMPONENT_TEMPLATE) && !member(members, "index_patterns")) {
    return byEnding(json, conventionOf(path.replace(COMPONENT_TEMPLATE, "-component.json"))!);
  }
  if (ending === "template") return template(json, name);
  if (ending === "policy") return policy(json, name);
  if (member(members, "index_patterns")) return template(json, name);
  if (member(members, "policy")?.kind === "object") return policy(json, name);
  if (members.some((part) => PARTS.includes(part.name))) return index(json, name.toLowerCase());
  const convention = conventionOf(path);
  if (convention) return byEnding(json, convention);
  refuseFields(json);
  json.refuseWithout(
    { string: ["method", "path"], array: ["index_patterns"], object: ["policy", ...PARTS] },
    "Cannot determine what the file defines: expected a request ('method' and 'path'), an index template " +
      "('index_patterns'), a policy ('policy'), an index ('settings', 'mappings', 'aliases') or a name " +
      "with an ending such as '-role.json'",
  );
}

const PARTS = ["settings", "mappings", "aliases"];

/** An index template with this name is known by its patterns. */
const COMPONENT_TEMPLATE = "-component-template.json";

function template(json: JsonFile, name: string): Classified {
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
  return put(
    "template",
    name,
    `/_index_template/${encodeURIComponent(name)}`,
    templateBody(json, name),
  );
}

/**
 * The body of a composable index template (reference 4.4 rules 1 and 2): a whole one unchanged; bare settings, mappings
 * and aliases below `template`, with `["{name}*"]` as patterns unless the file lists its own.
 */
function templateBody(json: JsonFile, name: string): string {
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
    const inside = { source: `"template":${objectText(parts.inside)}` };
    return objectText([
      ...patterns ? [] : [{ source: defaults }],
      ...parts.beside ?? [],
      inside,
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
    json.refuseWithout({ array: ["index_patterns"], object: ["template", ...PARTS] }, message);
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
function policy(json: JsonFile, name: string): Classified {
  if (name === "") json.refuse(0, "The file name contains no name for the policy");
  const body = member(json.members, "policy");
  if (body?.kind !== "object") {
    const message = "A policy file needs an object 'policy'";
    if (body) json.refuse(body.offset, message);
    json.refuseWithout({ object: ["policy"] }, message);
  }
  const members = membersOf(json.text, body);
  const ilm = member(members, "phases") !== undefined && member(members, "states") === undefined;
  const { path } = ilm ? LIFECYCLES : POLICIES;
  return put("policy", name, path(encodeURIComponent(name)), json.text);
}

function index(json: JsonFile, name: string): Classified {
  json.refuseIf(indexNameProblem(name));
  return put("index", name, `/${encodeURIComponent(name)}`, json.text);
}

type FiledKind = Kind & { readonly file: KindFile };

const FILED = KINDS.filter((kind): kind is FiledKind => kind.file !== undefined);
/** The longest first: `-search-pipeline` before `-pipeline`. */
const ENDINGS = [...new Set(FILED.map(({ file }) => file.ending))]
  .sort((a, b) => b.length - a.length);

/** What the name of a file says of its content; `undefined` where the content alone decides. */
export function endingOf(path: string): string | undefined {
  const [, ending] = /-(template|policy)(?:\.[jJ][sS][oO][nN])?$/.exec(path) ?? [];
  if (ending === "template" || ending === "policy") return ending;
  return conventionOf(path)?.ending.slice(1);
}

export function conventionOf(path: string) {
  // A kind of which a cluster has only one needs no name.
  const stem = `-${path.slice(path.lastIndexOf("/") + 1).replace(/\.json$/i, "")}`;
  const ending = ENDINGS.find((ending) => stem.endsWith(ending));
  const kinds = FILED.filter(({ file }) => file.ending === ending);
  if (ending === undefined || (stem === ending && !kinds[0]?.isSingle)) return undefined;
  return { ending, name: stem.slice(1, -ending.length), kinds };
}

type Convention = NonNullable<ReturnType<typeof conventionOf>>;

/** A file is sent unchanged, without members that clusters show and do not accept. */
function byEnding(json: JsonFile, { ending, name, kinds }: Convention): Classified {
  const kind = kinds.find((kind) => isBodyOf(kind.file, json));
  if (kind === undefined) {
    const expected = kinds.map((kind) => expectedOf(kind.file)).join("; or ");
    const members = (kind: MemberKind) =>
      kinds.flatMap(({ file: { members } }) => members?.[kind] ?? []);
    json.refuseWithout(
      { array: members("array"), object: members("object"), string: members("string") },
      `A file '*${ending}.json' needs ${expected}`,
    );
  }
  const { shownOnly = [], isEmpty, nameProblem } = kind.file;
  const resource = kind.isSingle ? kind.noun : name;
  json.refuseIf(resource === "" ? "The file name contains no name" : nameProblem?.(name));
  const own = json.members.filter((member) => !shownOnly.includes(member.name));
  const body = own.length === json.members.length ? json.text : objectText(own);
  const path = kind.path(encodeURIComponent(name));
  return put(ending.slice(1), resource, path, isEmpty ? undefined : body);
}

function put(
  kind: Classified["kind"],
  resource: string,
  path: string,
  body: string | undefined,
): Classified {
  const request = { method: "PUT", path, ...(body !== undefined && { body }) };
  return { kind, resource, request, repeatSafe: true };
}
