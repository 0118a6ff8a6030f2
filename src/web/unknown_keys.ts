import type { StandardSchemaV1 } from "@standard-schema/spec";
import { zodDefinition } from "../text/mod.ts";
import { openJson, saysJson } from "./_open_json.ts";
import type { OpenPart } from "./_open_part.ts";
import { isValibot, openValibot } from "./_open_valibot.ts";
import { openZod } from "./_open_zod.ts";
import { compositeOf, vendorOf } from "./composite.ts";
import { MappingError } from "./errors.ts";
import { modelSchema } from "./model.ts";

/**
 * Refuses a schema of answers that gives what it does not name, as that would be sent: one that lets keys pass, one that
 * says nothing of its values, and one of a library of which nothing is known. Zod and Valibot are asked what their schemas
 * are made of, any other library for its JSON Schema.
 *
 * @param option of the mapping
 * @param label of the handler
 * @throws {MappingError}
 */
export function refuseUnknownKeys(
  type: StandardSchemaV1,
  option: "returns" | "problems",
  label: string,
): void {
  const schema = modelSchema(type) ?? type;
  const found = foundIn(schema);
  if (found === undefined) return;
  const vendor = vendorOf(schema);
  const where = !("pointer" in found) || found.pointer === "" ? "" : ` at '${found.pointer}'`;
  const said = {
    open: `lets keys pass${where} that it does not name, and they would be sent; ` +
      `expected one that strips them${ADVICE[vendor] ?? ""}`,
    opaque: `does not say what a value has${where}, and all of it would be sent; ` +
      "expected one that names the fields",
    unknown:
      `is of '${vendor}' and gives no JSON Schema, so that it is not known what would be sent; ` +
      "expected one of Zod, Valibot or ArkType, or one with '~standard.jsonSchema'",
  }[found.is];
  throw new MappingError(`Cannot map '${label}': the schema of '${option}' ${said}`, [label]);
}

const ADVICE: Readonly<Record<string, string>> = {
  arktype: `, such as type({ … }).onDeepUndeclaredKey("delete")`,
  valibot:
    ", such as v.object({ … }) in place of v.looseObject() and v.objectWithRest(), v.tuple() in place of v.looseTuple()",
  zod:
    ", such as z.object({ … }) in place of z.looseObject(), .loose(), .passthrough() and .catchall(), " +
    "z.record() in place of z.looseRecord()",
};

type Found = OpenPart | { readonly is: "unknown" };

/** One schema often stands for many routes. */
const KNOWN = new WeakMap<StandardSchemaV1, { readonly found?: Found }>();

function foundIn(schema: StandardSchemaV1): Found | undefined {
  const known = KNOWN.get(schema);
  if (known) return known.found;
  const found = search(schema);
  KNOWN.set(schema, { found });
  return found;
}

function search(schema: StandardSchemaV1): Found | undefined {
  const around = compositeOf(schema);
  if (around) {
    const inner = foundIn(modelSchema(around.part) ?? around.part);
    return inner && "pointer" in inner
      ? { ...inner, pointer: `${around.pointer}${inner.pointer}` }
      : inner;
  }
  if (zodDefinition(schema)) return openZod(schema);
  if (isValibot(schema)) return openValibot(schema);
  return saysJson(schema) ? openJson(schema) : { is: "unknown" };
}
