import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import fc from "fast-check";
import { compareOpenApi } from "../../../src/features/contract/mod.ts";
import { SchemaComparison } from "../../../src/features/contract/compare_schemas.ts";
import { type SchemaForm, SchemaReader } from "../../../src/features/contract/reader.ts";
import { Random } from "../../../src/features/verify/random.ts";
import { Samples } from "../../../src/features/verify/samples.ts";
import { schemaChecks } from "../../../src/features/verify/schema_checks.ts";

type Json = Record<string, unknown>;

/** A document of one operation. */
function document(operation: Json, more: Json = {}, path = "/users/{id}"): Json {
  return { openapi: "3.1.0", info: {}, paths: { [path]: { get: operation } }, ...more };
}

const takes = (schema: unknown, required = true) =>
  document({ requestBody: { required, content: { "application/json": { schema } } } });
const gives = (schema: unknown, status = "200") =>
  document({ responses: { [status]: { content: { "application/json": { schema } } } } });
/** With a body of a schema by status, or without one. */
const answers = (schemas: Json) =>
  document({
    responses: Object.fromEntries(
      Object.entries(schemas).map(([status, schema]) => [
        status,
        schema === undefined ? {} : { content: { "application/json": { schema } } },
      ]),
    ),
  });
const asks = (...parameters: Json[]) => document({ parameters });
const secured = (security: unknown, schemes: Json = SCHEMES) =>
  document({ security }, { components: { securitySchemes: schemes } });
const object = (properties: Json, required: string[] = [], more: Json = {}) => ({
  type: "object",
  properties,
  required,
  ...more,
});
const components = (doc: Json, schemas: Json) => ({ ...doc, components: { schemas } });

const SCHEMES = {
  token: { type: "http", scheme: "bearer" },
  key: { type: "apiKey", in: "header", name: "X-Key" },
};
const text = { type: "string" };
const int = { type: "integer" };
const query = (name: string, more: Json = {}) => ({ name, in: "query", schema: text, ...more });

function found(before: Json, after: Json): string[] {
  return compareOpenApi(before, after).breaking.map(({ where, what }) => `${where}: ${what}`);
}

const two = (a: Json, b: Json) => ({
  openapi: "3.1.0",
  paths: { "/a": { get: a }, "/b": { get: b } },
});
const node = (value: Json) => object({ value, next: { $ref: "#/components/schemas/Node" } });
const cat = (more: Json = {}) => object({ kind: { const: "cat" }, ...more }, ["kind"]);
const dog = object({ kind: { const: "dog" }, barks: int }, ["kind"]);

const served = (...urls: string[]) => document({}, { servers: urls.map((url) => ({ url })) });
const region = (more: Json = {}) =>
  document({}, { servers: [{ url: "https://{r}.example.com", variables: { r: more } }] });
const readOnly = { ...text, readOnly: true };
const writeOnly = { ...text, writeOnly: true };
const telling = (discriminator?: Json) => ({
  oneOf: [cat(), dog],
  ...(discriminator && { discriminator }),
});
const byKind = (mapping?: Json) => telling({ propertyName: "kind", ...(mapping && { mapping }) });
const [toCat, toDog] = ["#/components/schemas/Cat", "#/components/schemas/Dog"];

const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const pets = (of: string[], mapping?: Json, more: Json = {}) =>
  components(gives({ oneOf: of.map(named), ...mappingOf(mapping) }), PETS(more));
const petsOf = (of: string[], mapping: Json, more: Json = {}) =>
  components(gives(named("Pet")), {
    ...PETS(more),
    Pet: { oneOf: of.map(named), ...mappingOf(mapping) },
  });
const mappingOf = (mapping: Json = {}) => ({
  discriminator: { propertyName: "kind", mapping },
});
const PETS = (more: Json): Json => ({
  Cat: object({ kind: text, lives: int }, ["kind"]),
  Dog: object({ kind: text, barks: int }, ["kind"]),
  ...more,
});
const byName = { cat: toCat, dog: toDog };
const oauth = (...flows: string[]) => ({
  type: "oauth2",
  flows: Object.fromEntries(
    flows.map((flow) => [flow, { tokenUrl: "https://id/token", scopes: {} }]),
  ),
});

/** Name, before, after, and what breaks. */
const CASES: readonly (readonly [string, Json, Json, readonly string[]])[] = [
  // Servers
  ["a server less", served("https://a", "https://b"), served("https://b"), ["server: removed"]],
  ["a server more", served("https://a"), served("https://b", "https://a"), []],
  ["a server where the document had none", document({}), served("https://a"), ["server: removed"]],
  ["the usual server", document({}), served("/"), []],
  ["no servers in place of the usual one", served("/"), document({}, { servers: [] }), []],
  ["a slash at the end of a server", served("https://a/v1"), served("https://a/v1/"), []],
  ["another base path", served("https://a/v1"), served("https://a/v2"), ["server: removed"]],
  [
    "servers of an operation, which count before those of the document",
    document({ servers: [{ url: "https://a" }] }, { servers: [{ url: "https://b" }] }),
    document({ servers: [{ url: "https://a" }] }, { servers: [{ url: "https://c" }] }),
    [],
  ],
  [
    "servers of a path",
    { openapi: "3.1.0", paths: { "/a": { servers: [{ url: "https://a" }], get: {} } } },
    { openapi: "3.1.0", paths: { "/a": { get: {} } }, servers: [{ url: "https://b" }] },
    ["server: removed"],
  ],
  ["another default of a server variable", region({ default: "eu" }), region({ default: "us" }), [
    "server: removed",
  ]],
  [
    "a description of a server variable",
    region({ default: "eu", description: "Where" }),
    region({ default: "eu" }),
    [],
  ],
  [
    "a value more of a server variable",
    region({ default: "eu", enum: ["eu"] }),
    region({ default: "eu", enum: ["us", "eu"] }),
    [],
  ],
  [
    "any value of a server variable",
    region({ default: "eu", enum: ["eu"] }),
    region({ default: "eu" }),
    [],
  ],
  [
    "a value less of a server variable",
    region({ default: "eu", enum: ["eu", "us"] }),
    region({ default: "eu", enum: ["eu"] }),
    ["server: values removed"],
  ],
  [
    "a server variable that takes some values only",
    region({ default: "eu" }),
    region({ default: "eu", enum: ["eu"] }),
    ["server: values removed"],
  ],
  // Changes that are compatible in one direction only
  ["an input that is read-only now", takes(object({ a: text })), takes(object({ a: readOnly })), [
    "body application/json /a: readOnly now",
  ]],
  [
    "an input that is read-only now, by its reference",
    components(takes(object({ a: { $ref: "#/components/schemas/A" } })), { A: text }),
    components(takes(object({ a: { $ref: "#/components/schemas/A" } })), { A: readOnly }),
    ["body application/json /a: readOnly now"],
  ],
  [
    "an input that is no longer read-only",
    takes(object({ a: readOnly })),
    takes(object({ a: text })),
    [],
  ],
  [
    "a required input that is no longer read-only",
    takes(object({ a: readOnly }, ["a"])),
    takes(object({ a: text }, ["a"])),
    ["body application/json /a: required now"],
  ],
  [
    "a read-only field that is required of answers alone",
    takes(object({})),
    takes(object({ a: readOnly }, ["a"])),
    [],
  ],
  [
    "a field of answers that is read-only now",
    gives(object({ a: text })),
    gives(object({ a: readOnly })),
    [],
  ],
  [
    "a field of answers that is write-only now",
    gives(object({ a: text })),
    gives(object({ a: writeOnly })),
    [
      "200 application/json /a: writeOnly now",
    ],
  ],
  [
    "a required field of answers that is write-only now",
    gives(object({ a: text }, ["a"])),
    gives(object({ a: writeOnly }, ["a"])),
    ["200 application/json /a: writeOnly now", "200 application/json /a: no longer required"],
  ],
  [
    "a field of answers that is no longer write-only",
    gives(object({ a: writeOnly })),
    gives(object({ a: text })),
    [],
  ],
  [
    "an input that is write-only now",
    takes(object({ a: text })),
    takes(object({ a: writeOnly })),
    [],
  ],
  [
    "an input of an alternative that is read-only now",
    takes({ oneOf: [cat({ a: text }), dog] }),
    takes({ oneOf: [cat({ a: readOnly }), dog] }),
    ["body application/json /a: readOnly now"],
  ],
  // Discriminators
  [
    "alternatives in another order beside a discriminator",
    pets(["Cat", "Dog"], byName),
    pets(["Dog", "Cat"], byName),
    [],
  ],
  [
    "alternatives of a schema with a name in another order beside a discriminator",
    petsOf(["Cat", "Dog"], byName),
    petsOf(["Dog", "Cat"], byName),
    [],
  ],
  [
    "alternatives in another order of which one has changed",
    petsOf(["Cat", "Dog"], byName, {
      Cat: object({ kind: { const: "cat" }, lives: int }, ["kind"]),
      Dog: dog,
    }),
    petsOf(["Dog", "Cat"], byName, {
      Cat: object({ kind: { const: "cat" }, lives: text }, ["kind"]),
      Dog: dog,
    }),
    ["schema 'Cat' /lives: type widened"],
  ],
  [
    "values of a discriminator that stand for each other's schemas",
    pets(["Cat", "Dog"], byName),
    pets(["Cat", "Dog"], { cat: toDog, dog: toCat }),
    ["200 application/json: discriminator changed"],
  ],
  [
    "values of a discriminator that stand for each other's schemas, of a schema with a name",
    petsOf(["Cat", "Dog"], byName),
    petsOf(["Cat", "Dog"], { cat: "Dog", dog: "Cat" }),
    ["schema 'Pet': discriminator changed"],
  ],
  [
    "a value of a discriminator whose schema has another name",
    pets(["Cat", "Dog"], byName),
    pets(["Kitten", "Dog"], { ...byName, cat: "Kitten" }, {
      Kitten: object({ kind: text, lives: int }, ["kind"]),
    }),
    [],
  ],
  [
    "another field that tells alternatives apart",
    gives(byKind()),
    gives(telling({ propertyName: "type" })),
    [
      "200 application/json: discriminator changed",
    ],
  ],
  ["the same of an input", takes(byKind()), takes(telling({ propertyName: "type" })), [
    "body application/json: discriminator changed",
  ]],
  ["no discriminator any more", gives(byKind()), gives(telling()), [
    "200 application/json: discriminator changed",
  ]],
  ["a discriminator that is new", gives(telling()), gives(byKind()), []],
  ["a discriminator of an input that is new", takes(telling()), takes(byKind()), []],
  ["no discriminator of an input any more", takes(byKind()), takes(telling()), []],
  [
    "a value of a discriminator that answers may have now",
    gives(byKind({ cat: toCat })),
    gives(byKind({ cat: toCat, dog: toDog })),
    ["200 application/json: discriminator changed"],
  ],
  [
    "a value of a discriminator that answers have no more",
    gives(byKind({ cat: toCat, dog: toDog })),
    gives(byKind({ cat: toCat })),
    [],
  ],
  [
    "a value of a discriminator that no input may have any more",
    takes(byKind({ cat: toCat, dog: toDog })),
    takes(byKind({ cat: toCat })),
    ["body application/json: discriminator changed"],
  ],
  ["a mapping that says what names say", takes(byKind({ Cat: toCat })), takes(byKind()), []],
  // Schemes and roles
  ["another scheme", secured([{ token: [] }]), secured([{ key: [] }]), ["security: changed"]],
  ["a role more that is asked for", secured([{ token: [] }]), secured([{ token: ["admin"] }]), [
    "security: changed",
  ]],
  ["a role less", secured([{ token: ["admin"] }]), secured([{ token: [] }]), []],
  [
    "one more role that suffices",
    secured([{ token: ["a"] }]),
    secured([{ token: ["a"] }, { token: ["b"] }]),
    [],
  ],
  ["a role in place of another", secured([{ token: ["a"] }]), secured([{ token: ["b"] }]), [
    "security: changed",
  ]],
  // Different texts of the same contract
  ["the usual style", asks(query("a")), asks(query("a", { style: "form", explode: true })), []],
  ["another explode", asks(query("a")), asks(query("a", { explode: false })), [
    "query 'a': explode changed",
  ]],
  [
    "JSON in UTF-8",
    gives(text),
    document({
      responses: { 200: { content: { "application/json; charset=UTF-8": { schema: text } } } },
    }),
    [],
  ],
  [
    "an answer without a body beside one with a body",
    gives(text),
    document({
      responses: { 200: { content: { "application/json": { schema: text } } }, 204: {} },
    }),
    ["204: changed"],
  ],
  [
    "an object that becomes a dictionary of texts",
    gives(object({ a: text }, ["a"])),
    gives({ type: "object", additionalProperties: text }),
    ["200 application/json /a: no longer required"],
  ],
  // Further successes
  [
    "a further success with another body",
    gives(object({ a: text }, ["a"])),
    answers({ 200: object({ a: text }, ["a"]), 202: object({ job: int }, ["job"]) }),
    ["202 application/json /a: removed"],
  ],
  [
    "a further success with the body of another",
    answers({ 200: object({ a: text }, ["a"]), 202: int }),
    answers({
      200: object({ a: text }, ["a"]),
      202: int,
      201: object({ a: text }, ["a"]),
      203: int,
    }),
    [],
  ],
  [
    "a further success of another media type",
    gives(text),
    document({
      responses: {
        200: { content: { "application/json": { schema: text } } },
        202: { content: { "text/plain": { schema: text } } },
      },
    }),
    ["202: changed"],
  ],
  [
    "a further success with a type that one of them has",
    answers({ 200: int }),
    answers({ 200: int, 201: { type: "number" } }),
    [
      "201 application/json: type widened",
    ],
  ],
  [
    "a further success without a body where all had one",
    answers({ 200: int }),
    answers({ 200: int, 202: undefined }),
    ["202: changed"],
  ],
  [
    "a further success without a body where one had none",
    answers({ 200: int, 204: text }),
    answers({ 200: int, 204: text, 205: text }),
    [],
  ],
  [
    "a success with a body where nothing was said",
    answers({ 204: undefined }),
    answers({ 204: undefined, 200: int }),
    [],
  ],
  // Routes
  ["a removed route", two({}, {}), { openapi: "3.1.0", paths: { "/a": { get: {} } } }, [
    "operation: removed",
  ]],
  ["a removed method", document({}), { openapi: "3.1.0", paths: { "/users/{id}": { put: {} } } }, [
    "operation: removed",
  ]],
  ["a new route", { openapi: "3.1.0", paths: { "/a": { get: {} } } }, two({}, {}), []],
  ["another name of a variable", document({}), document({}, {}, "/users/{userId}"), []],
  [
    "another name of a variable with its parameter",
    document({ parameters: [{ name: "id", in: "path", required: true, schema: int }] }),
    document(
      { parameters: [{ name: "key", in: "path", required: true, schema: int }] },
      {},
      "/users/{key}",
    ),
    [],
  ],
  [
    "another type of a variable with another name",
    document({ parameters: [{ name: "id", in: "path", required: true, schema: text }] }),
    document(
      { parameters: [{ name: "key", in: "path", required: true, schema: int }] },
      {},
      "/users/{key}",
    ),
    ["path 'id': type narrowed"],
  ],
  ["other words", document({ summary: "a", tags: ["a"] }), document({ summary: "b" }), []],
  // Parameters
  ["a new optional parameter", asks(), asks(query("a")), []],
  ["a new required parameter", asks(), asks(query("a", { required: true })), [
    "query 'a': required input added",
  ]],
  ["a removed parameter", asks(query("a")), asks(), ["query 'a': removed"]],
  ["a parameter in another place", asks(query("a")), asks({ ...query("a"), in: "header" }), [
    "query 'a': removed",
  ]],
  ["a parameter that is required now", asks(query("a")), asks(query("a", { required: true })), [
    "query 'a': required now",
  ]],
  ["a parameter that is optional now", asks(query("a", { required: true })), asks(query("a")), []],
  [
    "a header in other letters",
    asks({ ...query("X-A"), in: "header" }),
    asks({ ...query("x-a"), in: "header" }),
    [],
  ],
  [
    "another default",
    asks(query("a", { schema: { ...int, default: 10 } })),
    asks(query("a", { schema: { ...int, default: 20 } })),
    ["query 'a': default changed"],
  ],
  [
    "a removed default",
    asks(query("a", { schema: { ...int, default: 10 } })),
    asks(query("a", { schema: int })),
    ["query 'a': default changed"],
  ],
  [
    "a required parameter that has a default now",
    asks(query("a", { schema: int, required: true })),
    asks(query("a", { schema: { ...int, default: 10 } })),
    [],
  ],
  [
    "another style",
    asks(query("a", { style: "form" })),
    asks(query("a", { style: "pipeDelimited" })),
    ["query 'a': style changed"],
  ],
  [
    "parameters of the path",
    { openapi: "3.1.0", paths: { "/a": { parameters: [query("a")], get: {} } } },
    { openapi: "3.1.0", paths: { "/a": { get: { parameters: [query("a")] } } } },
    [],
  ],
  [
    "a parameter in place of its path's",
    { openapi: "3.1.0", paths: { "/a": { get: { parameters: [query("a", { schema: int })] } } } },
    {
      openapi: "3.1.0",
      paths: {
        "/a": {
          parameters: [query("a", { required: true })],
          get: { parameters: [query("a", { schema: int })] },
        },
      },
    },
    [],
  ],
  [
    "a parameter by reference",
    asks(query("a")),
    {
      ...asks({ $ref: "#/components/parameters/a" }),
      components: { parameters: { a: query("a", { required: true }) } },
    },
    ["query 'a': required now"],
  ],
  [
    "a removed default of null",
    asks(query("a", { schema: { type: ["integer", "null"], default: null } })),
    asks(query("a", { schema: { type: ["integer", "null"] } })),
    ["query 'a': default changed"],
  ],
  [
    "a default of null of a field, over the one of what it refers to",
    components(takes(object({ a: { $ref: "#/components/schemas/A", default: null } })), {
      A: { type: ["integer", "null"], default: 1 },
    }),
    components(takes(object({ a: { $ref: "#/components/schemas/A" } })), {
      A: { type: ["integer", "null"], default: 1 },
    }),
    ["body application/json /a: default changed"],
  ],
  // Inputs
  [
    "a value of a type that is not taken",
    takes({ enum: ["a"] }),
    takes({ allOf: [{ type: "object" }, { enum: ["a"] }] }),
    ["body application/json: value removed"],
  ],
  [
    "a type of a field that had to be sent, and had none",
    takes(object({}, ["a"])),
    takes(object({ a: text }, ["a"])),
    ["body application/json /a: type narrowed"],
  ],
  ["a new body that has to be sent", document({}), takes(text), ["body: required input added"]],
  ["a new body that may be sent", document({}), takes(text, false), []],
  ["a removed body", takes(text), document({}), ["body: removed"]],
  ["a body that has to be sent now", takes(text, false), takes(text), ["body: required now"]],
  ["a narrowed type", takes({ type: ["string", "null"] }), takes(text), [
    "body application/json: type narrowed",
  ]],
  ["an integer for a number", takes({ type: "number" }), takes(int), [
    "body application/json: type narrowed",
  ]],
  ["a number for an integer", takes(int), takes({ type: "number" }), []],
  ["a value less", takes({ enum: ["a", "b"] }), takes({ enum: ["a"] }), [
    "body application/json: value removed",
  ]],
  ["a value more", takes({ enum: ["a"] }), takes({ enum: ["b", "a"] }), []],
  ["values where there was any text", takes(text), takes({ ...text, enum: ["a"] }), [
    "body application/json: values narrowed",
  ]],
  ["any text where there were values", takes({ enum: ["a", "b"] }), takes(text), []],
  ["a longer minimum", takes({ ...text, minLength: 1 }), takes({ ...text, minLength: 2 }), [
    "body application/json: minLength tightened",
  ]],
  ["a shorter minimum", takes({ ...text, minLength: 2 }), takes({ ...text, minLength: 1 }), []],
  ["a minimum of nothing", takes(text), takes({ ...text, minLength: 0 }), []],
  ["a new maximum of characters", takes(text), takes({ ...text, maxLength: 9 }), [
    "body application/json: maxLength tightened",
  ]],
  ["a higher minimum", takes({ ...int, minimum: 1 }), takes({ ...int, minimum: 2 }), [
    "body application/json: minimum tightened",
  ]],
  ["a lower maximum", takes({ ...int, maximum: 9 }), takes({ ...int, maximum: 8 }), [
    "body application/json: maximum tightened",
  ]],
  [
    "the same limit in other words",
    takes({ ...int, exclusiveMinimum: 0 }),
    takes({ ...int, minimum: 1 }),
    [],
  ],
  [
    "a limit that is left out",
    takes({ type: "number", minimum: 0 }),
    takes({ type: "number", exclusiveMinimum: 0 }),
    ["body application/json: exclusiveMinimum tightened"],
  ],
  ["another pattern", takes({ ...text, pattern: "a" }), takes({ ...text, pattern: "b" }), [
    "body application/json: pattern tightened",
  ]],
  [
    "a pattern that the values have",
    takes({ enum: ["ab", "b"] }),
    takes({ ...text, pattern: "b$" }),
    [],
  ],
  ["a new format", takes(text), takes({ ...text, format: "uuid" }), [
    "body application/json: format tightened",
  ]],
  ["the format of 64 bits", takes(int), takes({ ...int, format: "int64" }), []],
  [
    "the format of 32 bits",
    takes({ ...int, format: "int64" }),
    takes({ ...int, format: "int32" }),
    [
      "body application/json: format tightened",
    ],
  ],
  [
    "more bits of an answer",
    gives({ ...int, format: "int32" }),
    gives({ ...int, format: "int64" }),
    [
      "200 application/json: format loosened",
    ],
  ],
  ["multiples", takes({ ...int, multipleOf: 4 }), takes({ ...int, multipleOf: 2 }), []],
  ["other multiples", takes({ ...int, multipleOf: 2 }), takes({ ...int, multipleOf: 4 }), [
    "body application/json: multipleOf tightened",
  ]],
  ["a new optional field", takes(object({})), takes(object({ a: text })), []],
  ["a new required field", takes(object({})), takes(object({ a: text }, ["a"])), [
    "body application/json /a: required input added",
  ]],
  ["a field that is required now", takes(object({ a: text })), takes(object({ a: text }, ["a"])), [
    "body application/json /a: required now",
  ]],
  ["a removed field of a body", takes(object({ a: text })), takes(object({})), [
    "body application/json /a: removed",
  ]],
  [
    "a body that is closed now",
    takes(object({ a: text })),
    takes(object({ a: text }, [], { additionalProperties: false })),
    ["body application/json: additionalProperties refused"],
  ],
  [
    "a body that is open now",
    takes(object({ a: text }, [], { additionalProperties: false })),
    takes(object({ a: text })),
    [],
  ],
  [
    "another default of a field",
    takes(object({ a: { ...int, default: 1 } })),
    takes(object({ a: { ...int, default: 2 } })),
    ["body application/json /a: default changed"],
  ],
  [
    "a field of a field",
    takes(object({ "a/b": object({ c: text }) })),
    takes(object({ "a/b": object({ c: int }) })),
    ["body application/json /a~1b/c: type narrowed"],
  ],
  ["items", takes({ type: "array", items: text }), takes({ type: "array", items: int }), [
    "body application/json /*: type narrowed",
  ]],
  [
    "items that have to differ",
    takes({ type: "array" }),
    takes({ type: "array", uniqueItems: true }),
    ["body application/json: uniqueItems tightened"],
  ],
  [
    "values of a map",
    takes({ type: "object", additionalProperties: text }),
    takes({ type: "object", additionalProperties: int }),
    ["body application/json /*: type narrowed"],
  ],
  [
    "an input of another media type",
    takes(text),
    document({ requestBody: { required: true, content: { "text/plain": { schema: text } } } }),
    ["body application/json: removed"],
  ],
  // Answers
  ["a new field of an answer", gives(object({})), gives(object({ a: text }, ["a"])), []],
  [
    "a new field of a closed answer",
    gives(object({}, [], { additionalProperties: false })),
    gives(object({ a: text }, [], { additionalProperties: false })),
    [],
  ],
  ["a removed field of an answer", gives(object({ a: text }, ["a"])), gives(object({})), [
    "200 application/json /a: removed",
  ]],
  [
    "a field that may be left out",
    gives(object({ a: text }, ["a"])),
    gives(object({ a: text })),
    ["200 application/json /a: no longer required"],
  ],
  [
    "a field that is always there",
    gives(object({ a: text })),
    gives(object({ a: text }, ["a"])),
    [],
  ],
  ["an answer that may be null", gives(text), gives({ type: ["string", "null"] }), [
    "200 application/json: type widened",
  ]],
  ["an answer of fewer types", gives({ type: ["string", "null"] }), gives(text), []],
  ["a number for an integer of an answer", gives(int), gives({ type: "number" }), [
    "200 application/json: type widened",
  ]],
  ["a value more of an answer", gives({ enum: ["a"] }), gives({ enum: ["a", "b"] }), [
    "200 application/json: value added",
  ]],
  ["a value less of an answer", gives({ enum: ["a", "b"] }), gives({ enum: ["a"] }), []],
  ["a removed format", gives({ ...text, format: "date" }), gives(text), [
    "200 application/json: format loosened",
  ]],
  ["a greater maximum of an answer", gives({ ...int, maximum: 1 }), gives({ ...int, maximum: 2 }), [
    "200 application/json: maximum loosened",
  ]],
  [
    "another default of an answer",
    gives({ ...int, default: 1 }),
    gives({ ...int, default: 2 }),
    [],
  ],
  ["an answer without a schema", gives(text), gives({}), ["200 application/json: type widened"]],
  ["a removed status", gives(text, "404"), document({ responses: {} }), ["404: removed"]],
  ["a new status", document({ responses: {} }), gives(text, "404"), []],
  [
    "a problem that is declared, which was one of any",
    document({
      responses: {
        default: {
          content: {
            "application/problem+json": {
              schema: object({ type: { ...text, format: "uri-reference" }, errors: text }),
            },
          },
        },
      },
    }),
    document({
      responses: {
        404: {
          content: {
            "application/problem+json": {
              schema: object({ type: { const: "about:blank" }, sku: text }, ["type"]),
            },
          },
        },
        default: {
          content: {
            "application/problem+json": {
              schema: object({ type: { ...text, format: "uri-reference" }, errors: text }),
            },
          },
        },
      },
    }),
    [],
  ],
  [
    "a new status that is not as all errors are",
    gives(text, "default"),
    document({
      responses: {
        default: { content: { "application/json": { schema: text } } },
        409: { content: { "application/json": { schema: int } } },
      },
    }),
    ["409 application/json: type widened"],
  ],
  [
    "another media type of an answer",
    gives(text),
    document({ responses: { 200: { content: { "text/plain": { schema: text } } } } }),
    ["200 application/json: removed"],
  ],
  ["an answer without a body", gives(text), document({ responses: { 200: {} } }), [
    "200 application/json: removed",
  ]],
  [
    "a removed header",
    document({ responses: { 201: { headers: { Location: { schema: text } } } } }),
    document({ responses: { 201: {} } }),
    ["201 header 'Location': removed"],
  ],
  [
    "a header of another type, in other letters",
    document({ responses: { 201: { headers: { "X-A": { schema: int } } } } }),
    document({ responses: { 201: { headers: { "x-a": { schema: text } } } } }),
    ["201 header 'X-A': type widened"],
  ],
  // References and alternatives
  [
    "a component that changed, where it is used",
    components(gives({ $ref: "#/components/schemas/A" }), { A: text }),
    components(gives({ $ref: "#/components/schemas/A" }), { A: int }),
    ["schema 'A': type widened"],
  ],
  [
    "a component of another name",
    components(gives({ $ref: "#/components/schemas/A" }), { A: text }),
    components(gives({ $ref: "#/components/schemas/B" }), { B: text }),
    [],
  ],
  [
    "a component that refers to itself",
    components(gives({ $ref: "#/components/schemas/Node" }), { Node: node(text) }),
    components(gives({ $ref: "#/components/schemas/Node" }), { Node: node(int) }),
    ["schema 'Node' /value: type widened"],
  ],
  [
    "a reference to itself alone",
    components(gives({ $ref: "#/components/schemas/A" }), {
      A: { $ref: "#/components/schemas/A" },
    }),
    components(gives({ $ref: "#/components/schemas/A" }), {
      A: { $ref: "#/components/schemas/A" },
    }),
    [],
  ],
  [
    "a reference that leads elsewhere",
    gives({ $ref: "other.json#/A" }),
    gives({ $ref: "other.json#/B" }),
    ["200 application/json: $ref changed"],
  ],
  [
    "allOf in place of one schema",
    takes(object({ a: text, b: int }, ["a"])),
    takes({ allOf: [object({ a: text }, ["a"]), object({ b: int })] }),
    [],
  ],
  [
    "a further part of allOf",
    takes({ allOf: [object({ a: text })] }),
    takes({ allOf: [object({ a: text }), object({ b: int }, ["b"])] }),
    ["body application/json /b: required input added"],
  ],
  [
    "anyOf in place of types",
    takes({ type: ["string", "null"] }),
    takes({ anyOf: [text, { type: "null" }] }),
    [],
  ],
  [
    "types in place of anyOf",
    gives({ anyOf: [text, int] }),
    gives({ type: ["integer", "string"] }),
    [],
  ],
  [
    "constants in place of an enumeration",
    takes({ enum: ["a", "b"] }),
    takes({
      anyOf: [{ const: "b" }, { const: "a" }],
    }),
    [],
  ],
  ["an alternative less", takes({ anyOf: [text, int] }), takes({ anyOf: [text] }), [
    "body application/json: alternative removed",
  ]],
  ["an alternative more", takes({ oneOf: [cat()] }), takes({ oneOf: [cat(), dog] }), []],
  ["an alternative more of an answer", gives({ oneOf: [cat()] }), gives({ oneOf: [cat(), dog] }), [
    "200 application/json: alternative added",
  ]],
  [
    "a field of an alternative",
    gives({ oneOf: [cat({ lives: int }), dog] }),
    gives({ oneOf: [dog, cat({ lives: text })] }),
    ["200 application/json /lives: type widened"],
  ],
  [
    "oneOf that may fit twice",
    takes({ anyOf: [object({ a: text }), object({ b: text })] }),
    takes({ oneOf: [object({ a: text }), object({ b: text })] }),
    ["body application/json: changed"],
  ],
  [
    "alternatives that may fit twice in another order",
    takes({ oneOf: [object({ a: text }), object({ b: text })] }),
    takes({ oneOf: [object({ b: text }), object({ a: text })] }),
    [],
  ],
  [
    "alternatives in another order inside of alternatives that may fit twice",
    takes({ oneOf: [object({ a: { anyOf: [text, int] } }), object({ b: text })] }),
    takes({ oneOf: [object({ b: text }), object({ a: { anyOf: [int, text] } })] }),
    [],
  ],
  [
    "one of two alternatives that may fit twice in place of the other",
    takes({ oneOf: [object({ a: text }), object({ b: text }), object({ a: text })] }),
    takes({ oneOf: [object({ b: text }), object({ a: text }), object({ b: text })] }),
    ["body application/json: changed"],
  ],
  ["what nothing is known of", takes({ not: { const: 1 } }), takes({ not: { const: 2 } }), [
    "body application/json: not changed",
  ]],
  ["keys of any kind", takes({ propertyNames: { maxLength: 1 } }), takes({}), []],
  ["nothing is taken any longer", takes(true), takes(false), [
    "body application/json: type narrowed",
  ]],
  // Security
  ["a new scheme", document({}), secured([{ token: [] }]), ["security: changed"]],
  ["no scheme any longer", secured([{ token: [] }]), secured([]), []],
  ["another scheme", secured([{ token: [] }]), secured([{ key: [] }]), ["security: changed"]],
  ["a further way", secured([{ token: [] }]), secured([{ token: [] }, { key: [] }]), []],
  ["a way less", secured([{ token: [] }, { key: [] }]), secured([{ token: [] }]), [
    "security: changed",
  ]],
  ["both at once", secured([{ token: [] }]), secured([{ token: [], key: [] }]), [
    "security: changed",
  ]],
  ["a further role", secured([{ token: [] }]), secured([{ token: ["admin"] }]), [
    "security: changed",
  ]],
  ["a role less", secured([{ token: ["admin"] }]), secured([{ token: [] }]), []],
  [
    "a scheme of another name",
    secured([{ token: [] }]),
    secured([{ bearer: [] }], { bearer: { ...SCHEMES.token, description: "A token" } }),
    [],
  ],
  [
    "another header for the key",
    secured([{ key: [] }]),
    secured([{ key: [] }], { key: { ...SCHEMES.key, name: "X-Other" } }),
    ["security: scheme changed"],
  ],
  [
    "the header for the key in other letters",
    secured([{ key: [] }]),
    secured([{ key: [] }], { key: { ...SCHEMES.key, name: "x-key" } }),
    [],
  ],
  [
    "the parameter for the key in other letters",
    secured([{ key: [] }], { key: { ...SCHEMES.key, in: "query" } }),
    secured([{ key: [] }], { key: { ...SCHEMES.key, in: "query", name: "x-key" } }),
    ["security: scheme changed"],
  ],
  [
    "a further flow",
    secured([{ id: ["a"] }], { id: oauth("password") }),
    secured([{ id: ["a"] }], { id: oauth("clientCredentials", "password") }),
    [],
  ],
  [
    "a flow less",
    secured([{ id: ["a"] }], { id: oauth("clientCredentials", "password") }),
    secured([{ id: ["a"] }], { id: oauth("password") }),
    ["security: scheme changed"],
  ],
  [
    "a further flow with a further scope",
    secured([{ id: ["a"] }], { id: oauth("password") }),
    secured([{ id: ["a", "b"] }], { id: oauth("clientCredentials", "password") }),
    ["security: changed"],
  ],
  [
    "security of the document",
    document({}, { security: [{ token: [] }] }),
    document({ security: [] }, { security: [{ token: [] }] }),
    [],
  ],
];

for (const [name, before, after, expected] of CASES) {
  Deno.test(`compareOpenApi() + ${name}`, () => {
    assertEquals(found(before, after), [...expected]);
    assertEquals(found(before, before), []);
    assertEquals(found(after, after), []);
  });
}

Deno.test("compareOpenApi() + describes the place, the old and the new value", () => {
  const { breaking, additions } = compareOpenApi(
    gives(object({ a: text }, ["a"])),
    gives(object({ a: { type: ["string", "null"] }, b: int }, ["a"])),
  );
  const place = { routes: ["GET /users/{id}"] };
  assertEquals(breaking, [{
    ...place,
    where: "200 application/json /a",
    what: "type widened",
    before: "string",
    after: "null or string",
  }]);
  assertEquals(additions, [{
    ...place,
    where: "200 application/json /b",
    what: "added",
    before: "none",
    after: '{"type":"integer"}',
  }]);
});

Deno.test("compareOpenApi() + shows long texts where they differ", () => {
  const schemes = (name: string) => ({ id: oauth("password"), key: { ...SCHEMES.key, name } });
  const of = (name: string) => secured([{ id: [], key: [] }], schemes(name));
  const [{ before, after } = { before: "", after: "" }] =
    compareOpenApi(of("X-One"), of("X-Two")).breaking;
  assertMatch(before, /^….*x-one/);
  assertMatch(after, /^….*x-two/);
  assertEquals([before, after].filter(({ length }) => length > 80), []);
});

Deno.test("compareOpenApi() + lists ways to authenticate and values of servers that are new", () => {
  const added = (before: Json, after: Json) =>
    compareOpenApi(before, after).additions.map(({ where, what, before, after }) =>
      `${where}: ${what}: ${before}, ${after}`
    );
  const both = [{ token: [] }, { key: [] }];
  const flows = (...names: string[]) => secured([{ id: [] }], { id: oauth(...names) });
  assertEquals(added(secured(both), secured([...both, {}])), [
    "security: relaxed: token or key, token or key or anonymous",
  ]);
  assertEquals(added(secured(both.slice(1)), secured(both)), [
    "security: relaxed: key, token or key",
  ]);
  assertEquals(added(secured([{ token: ["a", "b"] }]), secured([{ token: ["b"] }])), [
    "security: relaxed: token (a, b), token (b)",
  ]);
  assertEquals(added(secured(both), secured(both.toReversed())), []);
  assertMatch(
    added(flows("password"), flows("password", "clientCredentials"))[0] ?? "",
    /^security: scheme relaxed: /,
  );
  const eu = region({ default: "eu", enum: ["eu"] });
  assertEquals(added(eu, region({ default: "eu", enum: ["eu", "us"] })), [
    'server: values added: {"r":["eu"]}, {"r":["eu","us"]}',
  ]);
});

Deno.test("compareOpenApi() + rejects a document that is not OpenAPI 3.0 or 3.1", () => {
  assertThrows(
    () => compareOpenApi([], document({})),
    TypeError,
    "the first document is not an OpenAPI",
  );
  for (const openapi of ["3.2.0", "2.0"]) {
    assertThrows(
      () => compareOpenApi(document({}), { openapi, paths: {} }),
      TypeError,
      `the second document is OpenAPI ${openapi}, expected 3.0 or 3.1`,
    );
  }
});

const REF = "#/components/schemas/Node";
/** Schemas as OpenAPI 3.0 writes them, and as 3.1 does. */
const SPELLINGS: readonly (readonly [name: string, old: Json, current: Json])[] = [
  ["null", { type: "string", nullable: true }, { type: ["string", "null"] }],
  ["no null", { type: "string", nullable: false }, { type: "string" }],
  ["null or a reference", { nullable: true, allOf: [{ $ref: REF }] }, {
    anyOf: [{ $ref: REF }, { type: "null" }],
  }],
  ["an open bound", { type: "integer", minimum: 1, exclusiveMinimum: true }, {
    type: "integer",
    exclusiveMinimum: 1,
  }],
  ["a closed bound", { type: "number", maximum: 9, exclusiveMaximum: false }, {
    type: "number",
    maximum: 9,
  }],
  ["members beside a reference", { $ref: REF, nullable: true, type: "string" }, { $ref: REF }],
  [
    "a list of nulls",
    { type: "array", items: { type: "integer", nullable: true } },
    { type: "array", items: { type: ["integer", "null"] } },
  ],
  [
    "properties with the names of keywords",
    object({
      nullable: { type: "boolean", nullable: true },
      default: { type: "string", nullable: true },
    }),
    object({ nullable: { type: ["boolean", "null"] }, default: { type: ["string", "null"] } }),
  ],
  [
    "values",
    { ...object({}), example: { nullable: true }, default: { nullable: true, type: "x" } },
    { ...object({}), default: { nullable: true, type: "x" } },
  ],
];

for (const [name, old, current] of SPELLINGS) {
  Deno.test(`compareOpenApi() + reads OpenAPI 3.0: ${name}`, () => {
    const of = (schema: Json, openapi: string) => ({
      ...components(takes(object({ value: schema })), {
        Node: object({ id: int }),
      }),
      openapi,
    });
    const [before, after] = [of(old, "3.0.3"), of(current, "3.1.0")];
    for (const [one, other] of [[before, after], [after, before]] as const) {
      assertEquals(compareOpenApi(one, other), { breaking: [], additions: [] });
    }
    assertEquals(compareOpenApi(before, before), { breaking: [], additions: [] });
  });
}

Deno.test("compareOpenApi() + takes the base path of servers for a part of the paths", () => {
  const at = (path: string, ...urls: string[]) =>
    document({}, urls.length > 0 ? { servers: urls.map((url) => ({ url })) } : {}, path);
  const cases: readonly (readonly [before: Json, after: Json, changes: string[]])[] = [
    [at("/users", "/api"), at("/api/users"), []],
    [at("/api/users"), at("/users", "/api/"), []],
    [at("/users", "https://a.example/api"), at("/api/users", "https://a.example"), []],
    [
      at("/users", "https://a/api", "https://b/api/"),
      at("/api/users", "https://b", "https://a"),
      [],
    ],
    [at("/users", "https://a/api"), at("/api/users", "https://b"), ["server: removed"]],
    // The paths are the same, and the servers are not.
    [at("/users", "/v1"), at("/users", "/v2"), ["server: removed"]],
    [at("/users", "/v1"), at("/users", "/v1"), []],
    [at("/users", "/v1", "/v2"), at("/v1/users"), ["operation: removed"]],
  ];
  for (const [before, after, changes] of cases) assertEquals(found(before, after), changes);
});

Deno.test("compareOpenApi() + reads the base path in the defaults of server variables", () => {
  const at = (path: string, url: string, variables: Json = {}) =>
    document(
      {},
      { servers: [{ url, ...(Object.keys(variables).length > 0 && { variables }) }] },
      path,
    );
  const [base, region] = [{ b: { default: "/api" } }, { r: { default: "eu" } }];
  const cases: readonly (readonly [before: Json, after: Json, changes: string[]])[] = [
    [at("/users", "{b}", base), document({}, {}, "/api/users"), []],
    [document({}, {}, "/api/users"), at("/users", "{b}/", base), []],
    [at("/users", "https://a{b}", base), at("/api/users", "https://a"), []],
    [
      at("/users", "https://{r}.a/{v}", { ...region, v: { default: "v1" } }),
      at("/v1/users", "https://{r}.a", region),
      [],
    ],
    [at("/users", "/{v}", { v: { default: "v1" } }), at("/v2/users", "/"), ["operation: removed"]],
    // The paths are the same.
    [at("/users", "{b}", base), at("/users", "{b}", base), []],
    [at("/users", "{b}", base), at("/users", "{b}", { b: { default: "/v2" } }), [
      "server: removed",
    ]],
  ];
  for (const [before, after, changes] of cases) assertEquals(found(before, after), changes);
});

Deno.test("compareOpenApi() + takes the bounds of safe integers for none", () => {
  const [minimum, maximum] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const schemas = [
    int,
    { ...int, minimum, maximum },
    { ...int, format: "int64", minimum: -(2 ** 63), maximum: 2 ** 63 },
    { ...int, exclusiveMinimum: minimum - 1 },
  ];
  for (const sides of [takes, gives, (schema: unknown) => asks(query("page", { schema }))]) {
    for (const before of schemas) {
      for (const after of schemas) assertEquals(found(sides(before), sides(after)), []);
    }
  }
  const text = (what: string) => [`body application/json: ${what}`];
  assertEquals(
    found(takes(int), takes({ ...int, minimum: 1, maximum })),
    text("minimum tightened"),
  );
  assertEquals(found(takes(int), takes({ ...int, minimum: maximum })), text("minimum tightened"));
  // Fractions reach further.
  assertEquals(
    found(takes({ type: "number" }), takes({ type: "number", maximum })),
    text("maximum tightened"),
  );
});

Deno.test("compareOpenApi() + ends where alternatives multiply", () => {
  const choice = (depth: number): Json => ({
    allOf: [1, 2, 3, 4, 5].map((seed) => ({
      anyOf: [1, 2, 3, 4].map((part) =>
        object({ [`p${seed}${part}`]: depth ? choice(depth - 1) : int })
      ),
    })),
  });
  assertEquals(found(takes(choice(1)), takes(choice(1))), []);
  assertEquals(found(takes(choice(1)), takes({ ...choice(1), title: "other" })), []);
});

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.record({
    type: fc.constant("string"),
    minLength: fc.nat(3),
    maxLength: fc.integer({ min: 3, max: 9 }),
  }),
  fc.record({ type: fc.constant("integer"), minimum: fc.integer(), default: fc.nat() }, {
    requiredKeys: ["type"],
  }),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom("a", "b", 1, null, true), { minLength: 1 }) }),
  fc.constant({ type: ["string", "null"], format: "date" }),
  fc.constant({ $ref: "#/components/schemas/Node" }),
  fc.constant({}),
);
const schemasOf = (choices: readonly string[]): fc.Arbitrary<Json> =>
  fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.record({ type: fc.constant("array"), items: tie("schema") }),
      fc.record({
        type: fc.constant("object"),
        properties: fc.dictionary(fc.constantFrom("a", "b", "c~/"), tie("schema"), {
          noNullPrototype: true,
        }),
        required: fc.subarray(["a", "b"]),
        additionalProperties: fc.boolean(),
      }),
      ...choices.map((keyword) =>
        fc.record({ [keyword]: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) })
      ),
    ),
  })).schema as fc.Arbitrary<Json>;
const schemas = schemasOf(["anyOf", "oneOf", "allOf"]);
// Whether alternatives of oneOf exclude each other is not always decidable.
const certain = schemasOf(["anyOf", "allOf"]);
const withNode = (doc: Json) => components(doc, { Node: node(text) });

Deno.test("compareOpenApi() + finds nothing between a document and itself", () => {
  fc.assert(fc.property(schemas, (schema) => {
    const copy = JSON.parse(JSON.stringify(schema));
    assertEquals(found(withNode(takes(schema)), withNode(takes(copy))), []);
    assertEquals(found(withNode(gives(schema)), withNode(gives(copy))), []);
  }));
});

Deno.test("compareOpenApi() + lets optional inputs, fields of answers and routes be added", () => {
  fc.assert(fc.property(schemas, schemas, (one, other) => {
    const before = object({ one }, ["one"]);
    assertEquals(
      found(withNode(takes(before)), withNode(takes(object({ one, other }, ["one"])))),
      [],
    );
    const after = object({ one, other }, ["one", "other"]);
    assertEquals(found(withNode(gives(before)), withNode(gives(after))), []);
  }));
});

Deno.test("compareOpenApi() + takes what is narrower for input the one way, for answers the other", () => {
  const narrowed: fc.Arbitrary<readonly [Json, Json]> = fc.oneof(
    fc.tuple(fc.nat(5), fc.integer({ min: 6, max: 9 })).map(([less, more]) =>
      [{ ...text, minLength: less }, { ...text, minLength: more }] as const
    ),
    fc.tuple(fc.nat(5), fc.integer({ min: 6, max: 9 })).map(([less, more]) =>
      [{ ...int, maximum: more }, { ...int, maximum: less }] as const
    ),
    certain.map((schema) => [{ anyOf: [schema, { const: "only here" }] }, schema] as const),
    certain.map((schema) => [schema, { allOf: [schema, { not: { const: "nothing" } }] }] as const),
  );
  fc.assert(fc.property(narrowed, ([wide, narrow]) => {
    assertEquals(found(withNode(takes(narrow)), withNode(takes(wide))), []);
    assertEquals(found(withNode(gives(wide)), withNode(gives(narrow))), []);
  }));
});

Deno.test("compareOpenApi() + finds nothing only where each value of the older input fits the newer", async () => {
  const reader = new SchemaReader(withNode(document({})));
  const checks = await schemaChecks(reader);
  let compared = 0;
  const property = fc.asyncProperty(certain, certain, fc.integer(), async (one, other, seed) => {
    for (const [before, after] of [[one, other], [{ allOf: [one, other] }, one]] as const) {
      if (found(withNode(takes(before)), withNode(takes(after))).length > 0) continue;
      const sample = await new Samples(checks, new Random(seed, "")).of(before);
      if (!sample) continue;
      compared++;
      assertEquals(checks.fits(after, sample.value), true, JSON.stringify(sample.value));
    }
  });
  await fc.assert(property, { numRuns: 300 });
  assertEquals(compared > 50, true, `${compared}`);
});

Deno.test("compareOpenApi() + compares each pair of schemas that refer to each other once", () => {
  const count = 60;
  const ref = (index: number) => ({ $ref: `#/components/schemas/E${index}` });
  const entities = (more: Json) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        const lists = Object.fromEntries(
          Array.from({ length: count }, (_, other) => [`kids${other}`, {
            type: "array",
            items: ref(other),
          }]),
        );
        const parent = { anyOf: [ref(Math.floor(index / 2)), { type: "null" }] };
        const last = index === count - 1 ? more : {};
        return [`E${index}`, object({ id: int, owner: ref(0), parent, ...lists, ...last }, ["id"])];
      }),
    );
  const doc = (more: Json) => components(gives(ref(0)), entities(more));
  const readers = [doc({ gone: text }), doc({})].map((one) => new CountingReader(one)) as [
    CountingReader,
    CountingReader,
  ];
  const same = new SchemaComparison("output", readers[0], readers[0]);
  assertEquals(same.compare(ref(0), ref(0)), []);
  const once = readers[0].read;
  assertEquals(once < 40 * count, true, `${once}`);
  const changes = new SchemaComparison("output", ...readers).compare(ref(0), ref(0));
  assertEquals(changes.map(({ base, pointer, what }) => [base, pointer, what]), [
    [`#/components/schemas/E${count - 1}`, "/gone", "removed"],
  ]);
  assertEquals(readers[0].read - once < 400 * count, true, `${readers[0].read}`);
});

Deno.test("compareOpenApi() + finds a change by each schema that leads to it in a circle", () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  // While 'Outer' is compared, 'Inner' relies on 'Middle', that on 'Outer', and 'Beside' on none or on 'Inner'.
  for (const beside of [text, ref("Inner")]) {
    const [before, after] = [text, int].map((changed) =>
      new SchemaReader(components({}, {
        Outer: object({ middle: ref("Middle"), beside: ref("Beside"), changed }),
        Middle: object({ inner: ref("Inner"), outer: ref("Outer") }),
        Inner: object({ middle: ref("Middle") }),
        Beside: object({ beside }),
      }))
    ) as [SchemaReader, SchemaReader];
    const comparison = new SchemaComparison("output", before, after);
    const reached = beside === text ? ["Outer", "Inner", "Middle"] : ["Outer", "Inner", "Beside"];
    for (const name of reached) {
      const changes = comparison.compare(ref(name), ref(name));
      assertEquals(changes.map(({ base, pointer }) => [base, pointer]), [
        ["#/components/schemas/Outer", "/changed"],
      ], name);
    }
  }
});

/** Counts how often a schema was read. */
class CountingReader extends SchemaReader {
  read = 0;
  override form(...args: Parameters<SchemaReader["form"]>): SchemaForm {
    this.read++;
    return super.form(...args);
  }
}

Deno.test("compareOpenApi() + lists a change of a named schema once, with the routes that use it", () => {
  const count = 300;
  const ref = (index: number) => ({ $ref: `#/components/schemas/E${index % count}` });
  const nullable = (index: number) => ({ anyOf: [ref(index), { type: "null" }] });
  const ring = (more: Json) => ({
    openapi: "3.1.0",
    paths: Object.fromEntries([0, 7, 150, 299].map((index) => [`/${index}`, {
      get: { responses: { 200: { content: { "application/json": { schema: ref(index) } } } } },
    }])),
    components: {
      schemas: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`E${index}`, {
          ...object({ id: int, next: ref(index + 1), other: nullable(index + 2) }, ["id"]),
          ...(index === 42 && more),
        }]),
      ),
    },
  });
  const { breaking, additions } = compareOpenApi(
    ring(object({ id: int, next: ref(43), gone: text })),
    ring(object({ id: { type: ["integer", "null"] }, next: nullable(43), fresh: text })),
  );
  const routes = ["GET /0", "GET /7", "GET /150", "GET /299"];
  assertEquals(breaking.map(({ before: _, after: __, ...one }) => one), [
    { routes, where: "schema 'E42' /id", what: "type widened" },
    { routes, where: "schema 'E42' /next", what: "type widened" },
    { routes, where: "schema 'E42' /gone", what: "removed" },
  ]);
  assertEquals(additions.map(({ before: _, after: __, ...one }) => one), [
    { routes, where: "schema 'E42' /fresh", what: "added" },
  ]);
  // A change of one route is listed for that route only.
  const [first] = compareOpenApi(gives(object({ a: text })), gives(object({ a: int }))).breaking;
  assertEquals([first?.routes, first?.where], [["GET /users/{id}"], "200 application/json /a"]);
});

Deno.test("compareOpenApi() + lists a server once, with all its routes", () => {
  const of = (url: string) => ({ ...two({}, {}), servers: [{ url }] });
  const { breaking, additions } = compareOpenApi(of("https://a"), of("https://b"));
  const routes = ["GET /a", "GET /b"];
  assertEquals(breaking, [
    { routes, where: "server", what: "removed", before: "https://a", after: "none" },
  ]);
  assertEquals(additions, [
    { routes, where: "server", what: "added", before: "none", after: "https://b" },
  ]);
});
