import type { LoadedFile } from "../../runner/mod.ts";
import { readEnvelope } from "./envelope.ts";
import { filledFile } from "./fill.ts";
import { invalid, type JsonObject, member, membersOf, parseObject } from "../json/json.ts";
import { type Convention, conventionOf, requestOfFile } from "./conventions.ts";
import {
  indexNameProblem,
  nameOfFile,
  policyNameProblem,
  templateNameProblem,
} from "../kinds/names.ts";
import { isRepeatSafe, nameOf } from "../cluster/request.ts";
import { capitalPattern, isDefinition, templateBody } from "./template.ts";
import { unfilledSecret } from "./unfilled.ts";
import type { KindEnding, Placeholders, SearchFile, SearchMigration } from "../types.ts";

/**
 * What a JSON file is and the request it becomes (reference 4.4): an explicit envelope first, then the file name, then
 * the content. Endings of other kinds count for what is none of these.
 *
 * @param placeholders what is filled in before; none is looked for where none is declared
 * @throws {InvalidFileError} for broken JSON and for what is none of these
 */
export function classify(
  file: LoadedFile,
  onChange: SearchMigration["onChange"],
  placeholders: Placeholders = {},
): SearchMigration {
  return {
    ...classifyContent(filledFile(file, placeholders), placeholders),
    file,
    onChange,
    transactional: false,
  };
}

type Classified = Omit<SearchMigration, "file" | "onChange" | "transactional">;

function classifyContent(file: SearchFile, placeholders: Placeholders): Classified {
  const json = parseObject(file);
  const envelope = readEnvelope(file, json);
  if (envelope) {
    const { request, name } = envelope;
    refuse(file, json, unfilledSecret(request, file.filled?.source ?? json.text, placeholders));
    const resource = name ?? nameOf(request);
    const repeatSafe = isRepeatSafe(request);
    return { kind: "request", resource, request, repeatSafe };
  }
  const name = nameOfFile(file.path);
  const stem = file.path.replace(/\.json$/i, "");
  if (stem.endsWith("-template")) return template(file, json, name);
  if (stem.endsWith("-policy")) return policy(file, json, name);
  if (member(json.members, "index_patterns")) return template(file, json, name);
  if (member(json.members, "policy")?.kind === "object") return policy(file, json, name);
  if (isDefinition(json)) return index(file, json, name.toLowerCase());
  const convention = conventionOf(file.path);
  if (convention) return byEnding(file, json, convention, placeholders);
  throw invalid(
    file,
    json.text,
    0,
    "Cannot tell what the file is: expected a request ('method' and 'path'), an index template " +
      "('index_patterns'), a policy ('policy'), an index ('settings', 'mappings', 'aliases') or a name " +
      "that tells it, such as '-role.json'",
  );
}

function byEnding(
  file: SearchFile,
  json: JsonObject,
  { ending, name, kinds }: Convention,
  placeholders: Placeholders,
): Classified {
  const kind = kinds.find((kind) => kind.file.isBody(json));
  if (kind === undefined) {
    const expected = kinds.map((kind) => kind.file.expected).join("; or ");
    throw invalid(file, json.text, 0, `A file '*${ending}.json' needs ${expected}`);
  }
  const resource = kind.isSingle ? kind.noun : name;
  refuse(
    file,
    json,
    resource === "" ? "The file name leaves no name" : kind.file.nameProblem?.(name),
  );
  const request = requestOfFile(kind, name, json);
  refuse(file, json, unfilledSecret(request, file.filled?.source ?? json.text, placeholders));
  return { kind: ending.slice(1) as KindEnding, resource, repeatSafe: true, request };
}

function template(file: SearchFile, json: JsonObject, name: string): Classified {
  refuse(file, json, templateNameProblem(name));
  const capital = capitalPattern(json);
  if (capital) {
    const message =
      `The patterns ${capital.source} match no index: names of indices have no capital letters`;
    throw invalid(file, json.text, capital.offset, message);
  }
  const path = `/_index_template/${encodeURIComponent(name)}`;
  return {
    kind: "template",
    resource: name,
    repeatSafe: true,
    request: { method: "PUT", path, body: templateBody(file, json, name) },
  };
}

/** `states` make an ISM policy of OpenSearch, `phases` an ILM policy of Elasticsearch. */
function policy(file: SearchFile, json: JsonObject, name: string): Classified {
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
  const request = { method: "PUT", path, body: json.text };
  return { kind: "policy", resource: name, repeatSafe: true, request };
}

function index(file: SearchFile, json: JsonObject, name: string): Classified {
  refuse(file, json, indexNameProblem(name));
  const request = { method: "PUT", path: `/${encodeURIComponent(name)}`, body: json.text };
  return { kind: "index", resource: name, repeatSafe: true, request };
}

function refuse(file: SearchFile, json: JsonObject, problem: string | undefined): void {
  if (problem !== undefined) throw invalid(file, json.text, 0, problem);
}
