import { type ErrorBody, isObject, type Json, Refused } from "./answers.ts";
import { javaText } from "./json_text.ts";
import { type Field, hasFields, type Mapping, mergedMapping, storedMapping } from "./mappings.ts";

/** A document, or an object in it, that is being read. */
interface Reading {
  readonly id: string;
  /** Names of the objects around it. */
  readonly path: readonly string[];
  readonly dynamic: string;
  readonly dates: boolean;
}

/**
 * The mapping of an index after a document: fields that it did not have are added.
 *
 * @throws {Refused} where a value is not what its field takes
 */
export function mappingWith(mapping: Mapping, id: string, source: Json): Mapping {
  const { dynamic = "true", date_detection: dates = true } = mapping;
  const reading = { id, path: [], dynamic, dates: dates === true };
  const added = newFields(mapping.properties ?? {}, source, reading);
  if (Object.keys(added).length === 0) return mapping;
  return mergedMapping(mapping, storedMapping({ properties: added }), "update");
}

function newFields(fields: Record<string, Field>, object: Json, reading: Reading): Json {
  const added: Json = {};
  for (const [name, value] of Object.entries(object)) {
    const [first = "", ...rest] = name.split(".");
    const whole = rest.length === 0 ? value : { [rest.join(".")]: value };
    const found = newField(first, fields[first], whole, reading);
    if (found) added[first] = found;
  }
  return added;
}

/** The part of the field that `value` adds, if any. */
function newField(
  name: string,
  field: Field | undefined,
  value: unknown,
  reading: Reading,
): unknown {
  if (value === null) return undefined;
  if (Array.isArray(value)) return newFieldOfList(name, field, value.flat(Infinity), reading);
  const path = [...reading.path, name];
  if (!field) {
    if (reading.dynamic === "true") return inferred(value, { ...reading, path });
    if (reading.dynamic === "false") return undefined;
    const inside = reading.path.length === 0 ? "_doc" : reading.path.join(".");
    throw new Refused(400, {
      type: "strict_dynamic_mapping_exception",
      reason: `mapping set to ${reading.dynamic}, dynamic introduction of [${name}] ` +
        `within [${inside}] is not allowed`,
    });
  }
  if (!hasFields(field)) {
    checkValue(path.join("."), field, value, reading.id);
    return undefined;
  }
  if (field.enabled === false) return undefined;
  if (!isObject(value)) {
    throw new Refused(400, {
      type: "mapper_parsing_exception",
      reason: `object mapping for [${path.join(".")}] tried to parse field [${name}] as object, ` +
        "but found a concrete value",
    });
  }
  const dynamic = (field.dynamic as string | undefined) ?? reading.dynamic;
  const below = newFields(field.properties ?? {}, value, { ...reading, path, dynamic });
  return Object.keys(below).length > 0 ? { type: field.type, properties: below } : undefined;
}

function newFieldOfList(
  name: string,
  field: Field | undefined,
  list: unknown[],
  reading: Reading,
): unknown {
  const [first, ...rest] = list.filter((one) => one !== null);
  if (first === undefined) return undefined;
  if (isObject(first)) return newField(name, field, Object.assign({}, first, ...rest), reading);
  const added = newField(name, field, first, reading);
  for (const one of rest) newField(name, field ?? added as Field, one, reading);
  return added;
}

const DATE =
  /^\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}(?::\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?(?:Z|[+-]\d{2}:?\d{2})?)?)?)?$/;

function inferred(value: unknown, reading: Reading): unknown {
  switch (typeof value) {
    case "boolean":
      return { type: "boolean" };
    case "number":
      return { type: Number.isInteger(value) ? "long" : "float" };
    case "string":
      return (reading.dates ? inferredDate(value) : undefined) ??
        { type: "text", fields: { keyword: { type: "keyword", ignore_above: 256 } } };
    default:
      return { type: "object", properties: newFields({}, value as Json, reading) };
  }
}

function inferredDate(text: string): Json | undefined {
  if (text.includes("-") && isDate(text)) return { type: "date" };
  if (!/^\d{4}\/\d{2}\/\d{2}(?: \d{2}:\d{2}:\d{2})?$/.test(text)) return undefined;
  return {
    type: "date",
    format: "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis",
    print_format: "yyyy/MM/dd HH:mm:ss",
  };
}

function isDate(text: string): boolean {
  const [month = "01", day = "01"] = text.split("T")[0]!.split("-").slice(1);
  return DATE.test(text) && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 &&
    Number(day) <= 31;
}

function checkValue(path: string, field: Field, value: unknown, id: string): void {
  if (field.ignore_malformed === true) return;
  const cause = problemOf(field, value);
  if (!cause) return;
  throw new Refused(400, {
    type: "mapper_parsing_exception",
    reason:
      `failed to parse field [${path}] of type [${field.type}] in document with id '${id}'. ` +
      `Preview of field's value: '${javaText(value)}'`,
    caused_by: cause,
  });
}

/** Why a value is not what a field takes. */
function problemOf({ type, format }: Field, value: unknown): ErrorBody | undefined {
  switch (type) {
    case "byte":
    case "short":
    case "integer":
    case "long":
    case "unsigned_long":
      return numberProblem(value, "illegal_argument_exception");
    case "float":
    case "double":
    case "half_float":
    case "scaled_float":
      return numberProblem(value, "number_format_exception");
    case "boolean":
      return booleanProblem(value);
    case "date":
      return dateProblem(value, format as string | undefined);
    case "ip":
      if (/^[\d.]+$|:/.test(String(value))) return undefined;
      return {
        type: "illegal_argument_exception",
        reason: `'${value}' is not an IP string literal.`,
      };
    case "keyword":
    case "text":
      if (!isObject(value)) return undefined;
      return { type: "illegal_state_exception", reason: "Can't get text on a START_OBJECT" };
  }
}

function numberProblem(value: unknown, type: string): ErrorBody | undefined {
  if (typeof value === "number") return undefined;
  if (typeof value === "string") {
    const numeric = value.trim() !== "" && !Number.isNaN(Number(value));
    return numeric ? undefined : { type, reason: `For input string: "${value}"` };
  }
  const token = isObject(value) ? "START_OBJECT" : `VALUE_${String(value).toUpperCase()}`;
  const reason = `Current token (${token}) not numeric, can not use numeric value accessors`;
  return { type: "json_parse_exception", reason };
}

function booleanProblem(value: unknown): ErrorBody | undefined {
  if (typeof value === "boolean" || value === "true" || value === "false") return undefined;
  if (typeof value === "string") {
    const reason = `Failed to parse value [${value}] as only [true] or [false] are allowed.`;
    return { type: "illegal_argument_exception", reason };
  }
  return { type: "json_parse_exception", reason: "Current token not of boolean type" };
}

function dateProblem(
  value: unknown,
  format = "strict_date_optional_time||epoch_millis",
): ErrorBody | undefined {
  const fits = format.split("||").some((one) => {
    if (one.startsWith("epoch_")) return /^-?\d+(?:\.\d+)?$/.test(String(value));
    if (one.startsWith("strict_date_optional_time")) return isDate(String(value));
    return typeof value !== "object";
  });
  if (fits) return undefined;
  return {
    type: "illegal_argument_exception",
    reason: `failed to parse date field [${value}] with format [${format}]`,
    caused_by: {
      type: "date_time_parse_exception",
      reason: "Failed to parse with all enclosed parsers",
    },
  };
}
