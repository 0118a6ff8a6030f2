import {
  isSecretLine,
  joinKey,
  linesOf,
  loadYamlParser,
  parentOf,
  YamlError,
} from "../../config/yaml.ts";
import { defined, escaped, printable, withoutUserinfo } from "../../text/mod.ts";
import type { FileProblem } from "../../migrations/runner/mod.ts";
import {
  field,
  isObject,
  type Json,
  mapValues,
  objectOf,
  stringOf,
} from "../../migrations/search/json/json_values.ts";
import type { FieldPlace } from "./fields.ts";

export interface ManifestFile {
  readonly path: string;
  readonly text: string;
}

export type Manifest = NonNullable<ReturnType<typeof manifestOf>>;

/**
 * Reads YAML or JSON with several documents in a file; items of lists, as `kubectl get -o yaml` prints them, are
 * resources. Problems that are found later are added to `problems`.
 */
export async function readManifests(files: readonly ManifestFile[]) {
  const parse = await loadYamlParser();
  const manifests: Manifest[] = [];
  const problems: FileProblem[] = [];
  for (const file of files) {
    for (const [index, text] of documentsOf(file.text).entries()) {
      let found: ReturnType<typeof linesOf> | undefined;
      const lines = () => found ??= linesOf(text);
      const document = { file, number: index + 1, text, lines };
      try {
        const value = withMerges(parse(text, "core"));
        if (value === null || value === undefined) continue;
        for (const [item, key] of itemsOf(value)) {
          const manifest = manifestOf(item, key, document, problems);
          if (manifest) manifests.push(manifest);
        }
      } catch (error) {
        if (!(error instanceof YamlError)) throw error;
        problems.push(broken(document, error));
      }
    }
  }
  return { manifests, problems };
}

interface Document {
  readonly file: ManifestFile;
  readonly number: number;
  readonly text: string;
  readonly lines: () => ReadonlyMap<string, readonly number[]>;
}

/** The documents of a stream, each after empty lines, so that lines are those of the file. */
function documentsOf(stream: string): readonly string[] {
  const lines = stream.split(/\r\n|\r|\n/);
  const starts = lines.flatMap((line, index) => /^---(?:\s|$)/.test(line) ? [index] : []);
  const bounds = [0, ...starts, lines.length];
  return bounds.slice(1).flatMap((end, index) => {
    const start = bounds[index]!;
    // Directives before a marker mean nothing here.
    const own = lines.slice(start, end).map((line) => /^(?:%|\.\.\.\s*$)/.test(line) ? "" : line);
    const isEmpty = own.every((line) => /^(?:---)?\s*(?:#.*)?$/.test(line));
    return isEmpty ? [] : ["\n".repeat(start) + own.join("\n")];
  });
}

function itemsOf(value: unknown): readonly (readonly [item: unknown, key: string])[] {
  const { kind: list, items, apiVersion } = objectOf(value);
  if (typeof list !== "string" || !list.endsWith("List") || !Array.isArray(items)) {
    return [[value, ""]];
  }
  const kind = list.slice(0, -"List".length);
  return items.map((item, index) => {
    // Items of a list of one kind may omit the kind.
    const own = isObject(item) && kind !== "" && item.kind === undefined
      ? { apiVersion, kind, ...item }
      : item;
    return [own, `items[${index}]`];
  });
}

function manifestOf(
  content: unknown,
  key: string,
  document: Document,
  problems: FileProblem[],
) {
  const text = (...path: string[]) => stringOf(field(content, ...path)) ?? "";
  const [apiVersion, kind] = [text("apiVersion"), text("kind")];
  const [name, namespace] = [text("metadata", "name"), text("metadata", "namespace")];
  const subject = `document ${document.number}` +
    (kind === "" ? "" : `, ${printable(kind)} '${printable(name)}'`);
  const place = placeAt(document, subject, key, "", problems);
  if (!isObject(content) || kind === "" || apiVersion === "") {
    return void place.refuse("Expected a Kubernetes resource with 'apiVersion' and 'kind'");
  }
  return {
    apiVersion,
    kind,
    name,
    ...(namespace !== "" && { namespace }),
    content,
    title: `${document.file.path}, ${subject}`,
    place,
  };
}

function placeAt(
  document: Document,
  subject: string,
  root: string,
  key: string,
  problems: FileProblem[],
): FieldPlace {
  const say = (severity: FileProblem["severity"], message: string) => {
    const about = key === "" ? subject : `${subject}, ${printable(key)}`;
    problems.push({
      severity,
      path: document.file.path,
      message: `${about}: ${message}`,
      ...sourceOf(document, key === "" ? root : joinKey(root, key)),
    });
  };
  return {
    key,
    at: (part) => placeAt(document, subject, root, joinKey(key, part), problems),
    refuse: (message) => say("error", message),
    warn: (message) => say("warning", message),
  };
}

function sourceOf(
  { text, lines }: Document,
  key: string,
): Pick<FileProblem, "line" | "column" | "source"> {
  for (let path = key; path !== ""; path = parentOf(path)) {
    const line = lines().get(path)?.[0];
    if (line === undefined) continue;
    const source = text.split("\n")[line - 1] ?? "";
    const name = /[^.[\]]+$/.exec(path)?.[0];
    const start = name === undefined ? -1 : source.search(keyPattern(name));
    const column = (start < 0 ? source.search(/\S/) : start) + 1;
    const isShown = !isHidden(text, line);
    return { line, column, ...(isShown && { source: withoutUserinfo(source) }) };
  }
  return {};
}

function isHidden(text: string, line: number): boolean {
  return isSecretLine(text, line) || /password/i.test(text.split("\n")[line - 1] ?? "");
}

function keyPattern(name: string): RegExp {
  return new RegExp(`(?<=^|[\\s-])["']?${escaped(name)}["']?\\s*:`);
}

function broken({ file: { path }, number, text }: Document, error: YamlError): FileProblem {
  const { line, column } = error;
  const where = line === undefined ? `document ${number}: ` : "";
  const isSecret = /\bkind["']?\s*:\s*["']?Secret\b/.test(text) ||
    (line !== undefined && isHidden(text, line));
  const source = line === undefined || isSecret ? undefined : text.split("\n")[line - 1];
  return {
    severity: "error",
    path,
    message: `${where}Cannot read the YAML${isSecret ? "" : `: ${error.message}`}`,
    ...defined({ line, column, source: source && withoutUserinfo(source) }),
    ...(source?.includes("{{") && { advice: ["render templates first: helm template, kustomize"] }),
  };
}

const MAX_DEPTH = 200;

/** Resolves merge keys, as kubectl does: `<<` adds the missing members of an object, or of several in a list. */
function withMerges(document: unknown): unknown {
  // Anchors put one value in many places.
  const done = new Map<object, unknown>();
  const resolve = (value: unknown, depth: number): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (depth > MAX_DEPTH) {
      throw new YamlError(`The YAML is nested deeper than ${MAX_DEPTH} levels`);
    }
    if (done.has(value)) return done.get(value);
    const below = (part: unknown) => resolve(part, depth + 1);
    const result = Array.isArray(value)
      ? value.map(below)
      : mergeKeys(mapValues(value as Json, below));
    done.set(value, result);
    return result;
  };
  return resolve(document, 0);
}

function mergeKeys(value: Json): Json {
  if (!Object.hasOwn(value, "<<")) return value;
  const { "<<": source, ...own } = value;
  const sources = Array.isArray(source) ? source : [source];
  if (!sources.every(isObject)) {
    throw new YamlError("Cannot merge '<<': expected an object, or a list of objects");
  }
  return Object.assign({}, ...sources.toReversed(), own);
}
