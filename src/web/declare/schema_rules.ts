import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  additionalPropertiesOf,
  type Carrier,
  unsendablePart,
  vendorOf,
} from "../../schema/mod.ts";
import type { BinderInput } from "../bind/binder.ts";
import { PLACES } from "../bind/places.ts";
import type { HandlerMapping } from "./metadata.ts";
import { refuseMapping } from "../errors.ts";

/** @throws {MappingError} for a schema whose output may have unnamed keys, as they would be sent */
export function rejectUnknownKeys(
  type: StandardSchemaV1,
  option: "returns" | "problems",
  label: string,
): void {
  const found = additionalPropertiesOf(type);
  if (found === undefined) return;
  const vendor = vendorOf(type);
  const where = pointed(found);
  const text = {
    allowsUnknownKeys: `allows unknown keys${where}, and they would be sent; ` +
      `expected one that strips them${STRIPPING[vendor] ?? ""}`,
    isOpaque: `does not describe its values${where}, and all of their fields would be sent; ` +
      "expected one that names the fields",
    hasNoJsonSchema: `is of '${vendor}' and has no JSON Schema; ` +
      "expected one of Zod, Valibot or ArkType, or one with '~standard.jsonSchema'",
  }[found.reason];
  refuseMapping(label, `the schema of '${option}' ${text}`);
}

const STRIPPING: Readonly<Record<string, string>> = {
  arktype: `, such as type({ … }).onDeepUndeclaredKey("delete")`,
  valibot:
    ", such as v.object({ … }) in place of v.looseObject() and v.objectWithRest(), v.tuple() in place of v.looseTuple()",
  zod:
    ", such as z.object({ … }) in place of z.looseObject(), .loose(), .passthrough() and .catchall(), " +
    "z.record() in place of z.looseRecord()",
};

/** @throws {MappingError} for a schema that no request can match: `z.date()` in JSON, `z.number()` in text */
export function rejectUnsendable({ binders, consumes }: HandlerMapping, label: string): void {
  for (const [index, { input }] of binders.entries()) {
    const { in: place, name, type } = input;
    if (type === undefined || typeof type === "string" || !("~standard" in type)) continue;
    const carrier = carrierOf(input, consumes);
    const found = unsendablePart(type, carrier);
    if (!found) continue;
    const named = name === undefined ? "" : ` '${name}'`;
    const expected = ALTERNATIVES[vendorOf(type)]?.[found.kind] ??
      "a type that can be sent and a transformation, or { list: true } for a list";
    const required = `requires a value of type '${found.kind}'${pointed(found)}`;
    const reason = `${required}, which ${carrier} cannot represent; expected ${expected}`;
    refuseMapping(label, `parameter ${index + 1} (${place}${named}) ${reason}`);
  }
}

function pointed({ pointer }: { readonly pointer: string }): string {
  return pointer && ` at '${pointer}'`;
}

function carrierOf({ in: place, name }: BinderInput, consumes: readonly string[]): Carrier {
  const { isJson, body } = PLACES[place];
  if (isJson && (body === "field" || !/form/i.test(consumes.join()))) return "JSON";
  return name ? "text" : "text fields";
}

const ALTERNATIVES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  zod: {
    date: "z.iso.datetime(), with .pipe(z.coerce.date()) for a Date",
    bigint: "z.coerce.bigint() or z.int()",
    number: `z.coerce.number() or the word "number"`,
    boolean: `z.stringbool() or the word "boolean"`,
  },
  valibot: {
    date: "v.pipe(v.string(), v.isoTimestamp(), v.toDate())",
    bigint: "v.pipe(v.string(), v.digits(), v.toBigint())",
    number: `v.pipe(v.string(), v.decimal(), v.toNumber()) or the word "number"`,
    boolean: `v.pipe(v.string(), v.toBoolean()) or the word "boolean"`,
  },
  arktype: {
    date: `"string.date.iso.parse" or "string.date.iso"`,
    bigint: `"string.integer" with a morph`,
    number: `"string.numeric.parse" or the word "number"`,
    integer: `"string.integer.parse" or the word "int"`,
    boolean: `the word "boolean"`,
  },
};
