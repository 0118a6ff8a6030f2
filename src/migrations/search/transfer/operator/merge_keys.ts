import { YamlError } from "../../../../config/yaml.ts";
import { isObject, type Json } from "../../json/json_values.ts";

/** No resource comes near it, and what reads them goes down step by step. */
const MAX_DEPTH = 200;

/**
 * A value of a YAML document with its merge keys carried out, as kubectl does before it sends anything: `<<` brings the
 * members of an object, or of several in a list, that do not exist yet.
 *
 * @throws {YamlError} for what cannot be merged, and for what is nested too deeply
 */
export function withMerges(document: unknown): unknown {
  // Anchors make one value stand at many places.
  const done = new Map<object, unknown>();
  const resolve = (value: unknown, depth: number): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (depth > MAX_DEPTH) throw new YamlError(`It is nested more than ${MAX_DEPTH} deep`);
    if (done.has(value)) return done.get(value);
    const result = Array.isArray(value) ? value.map((item) => resolve(item, depth + 1)) : merged(
      Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, resolve(part, depth + 1)]),
      ),
    );
    done.set(value, result);
    return result;
  };
  return resolve(document, 0);
}

function merged(value: Json): Json {
  if (!Object.hasOwn(value, "<<")) return value;
  const { "<<": source, ...own } = value;
  const sources = Array.isArray(source) ? source : [source];
  if (!sources.every(isObject)) {
    throw new YamlError("Cannot merge '<<': expected an object, or a list of objects");
  }
  // The first of several wins.
  return Object.assign({}, ...sources.toReversed(), own);
}
