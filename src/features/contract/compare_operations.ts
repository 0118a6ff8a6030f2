import type { Direction } from "../../schema/mod.ts";
import { essence, isJson, PROBLEM_JSON } from "../../text/mod.ts";
import { addition, breaking, type Change, type Found, paired } from "./changes.ts";
import type { SchemaComparison } from "./compare_schemas.ts";
import { compareSecurity } from "./compare_security.ts";
import { type DescribedOperation, parameterKey } from "./reader.ts";
import { isSchema, type Json, recordOf, sameJson, type Schema } from "./schema_form.ts";

export function routeOf({ method, path }: DescribedOperation): string {
  return `${method} ${path}`;
}

export class OperationComparison {
  readonly #found: Found[] = [];

  constructor(
    readonly before: DescribedOperation,
    readonly after: DescribedOperation,
    readonly schemas: { readonly [D in Direction]: SchemaComparison },
  ) {}

  run(): readonly Found[] {
    this.#servers();
    this.#parameters();
    this.#body();
    this.#responses();
    this.#collect("security", compareSecurity(this.before, this.after));
    const [ours, theirs] = [this.before.body.callbacks, this.after.body.callbacks];
    if (!this.schemas.output.same(ours, theirs)) {
      this.#breaks("callbacks", "changed", ours, theirs);
    }
    return this.#found;
  }

  #collect(where: string, changes: readonly Change[]): void {
    const route = routeOf(this.before);
    this.#found.push(...changes.map((change) => ({ route, where, change })));
  }

  #breaks(where: string, what: string, before: unknown, after?: unknown): void {
    this.#collect(where, [breaking("", what, before, after)]);
  }

  #adds(where: string, what: string, before: unknown, after: unknown): void {
    this.#collect(where, [addition("", what, before, after)]);
  }

  #addInput(where: string, required: unknown, text: unknown): void {
    if (required !== true) this.#adds(where, "added", undefined, text);
    else this.#breaks(where, "required input added", undefined, text);
  }

  #servers(): void {
    const [older, newer] = [serversOf(this.before), serversOf(this.after)];
    for (const [server, other] of withoutTwin(older, newer)) {
      if (!other) this.#breaks("server", "removed", server.url);
      else this.#breaks("server", "values removed", server.values, other.values);
    }
    for (const [server, other] of withoutTwin(newer, older)) {
      if (!other) this.#adds("server", "added", undefined, server.url);
      else this.#adds("server", "values added", other.values, server.values);
    }
  }

  #parameters(): void {
    for (const [, ours, theirs] of paired(parametersOf(this.before), parametersOf(this.after))) {
      const { in: place, name } = (ours ?? theirs)!;
      const where = `${place} '${name}'`;
      if (ours && theirs) this.#parameter(ours, theirs, where);
      else if (ours) this.#breaks(where, "removed", ours.schema ?? "parameter");
      else this.#addInput(where, theirs?.required, theirs?.schema ?? "parameter");
    }
  }

  #parameter(parameter: Json, successor: Json, where: string): void {
    const { input } = this.schemas;
    const isRequired = parameter.required === true;
    if (!isRequired && successor.required === true) {
      this.#breaks(where, "required now", "optional", "required");
    }
    for (const keyword of ["style", "explode", "allowReserved", "content"]) {
      if (parameter[keyword] === undefined && successor[keyword] === undefined) continue;
      const [old, given] = [parameter, successor].map((one) =>
        one[keyword] ?? defaultOf(one, keyword)
      );
      if (!input.same(old, given)) this.#breaks(where, `${keyword} changed`, old, given);
    }
    const [ours, theirs] = [schemaOf(parameter), schemaOf(successor)];
    this.#collect(where, input.compare(ours, theirs));
    const [old, given] = [this.before.reader.defaultOf(ours), this.after.reader.defaultOf(theirs)];
    if (!isRequired && !sameJson(old, given)) {
      this.#breaks(where, "default changed", old, given);
    }
  }

  #body(): void {
    const [ours, theirs] = [this.before, this.after].map(({ body, reader }) =>
      body.requestBody === undefined ? undefined : reader.follow(body.requestBody)
    );
    const typesOf = (body: Json) => [...mediaTypes(body).keys()].join(", ");
    if (!theirs) {
      if (ours) this.#breaks("body", "removed", typesOf(ours));
      return;
    }
    if (!ours) return this.#addInput("body", theirs.required, typesOf(theirs));
    if (theirs.required === true && ours.required !== true) {
      this.#breaks("body", "required now", "optional", "required");
    }
    this.#content("input", ours, theirs, "body");
  }

  #content(direction: Direction, ours: Json, theirs: Json, where: string): void {
    const comparison = this.schemas[direction];
    const [older, newer] = [mediaTypes(ours), mediaTypes(theirs)];
    for (const [type, media, successor] of paired(older, newer)) {
      const place = `${where} ${type}`;
      if (!media) this.#adds(place, "added", undefined, type);
      else if (!successor) {
        this.#breaks(place, "removed", type, [...newer.keys()].join(", ") || undefined);
      } else {
        const differences = comparison.compare(schemaOf(media), schemaOf(successor));
        this.#collect(place, differences);
        const [old, given] = [media.encoding, successor.encoding];
        if (!comparison.same(old, given)) {
          this.#breaks(place, "encoding changed", old, given);
        }
      }
    }
  }

  #responses(): void {
    const older = responsesOf(this.before);
    for (const [status, ours, theirs] of paired(older, responsesOf(this.after))) {
      if (ours && theirs) this.#response(ours, theirs, status);
      else if (ours) this.#breaks(status, "removed", ours.description ?? status);
      else if (theirs) this.#newResponse(older, theirs, status);
    }
  }

  #newResponse(older: Responses, theirs: Json, status: string): void {
    const other = /^[45]/.test(status) ? older.get("default") : undefined;
    const general = older.get(`${status[0]}XX`) ?? other;
    const isBreaking = general === undefined && /^2/.test(status) &&
      this.#newSuccess(older, theirs, status);
    if (!isBreaking) this.#adds(status, "added", undefined, theirs.description ?? status);
    if (general === undefined) return;
    // Clients that read problem details of any error can read those of a declared one (RFC 9457, 3.2).
    const areProblems = general === older.get("default") &&
      [general, theirs].every((response) => mediaTypes(response).has(PROBLEM_JSON));
    if (!areProblems) this.#response(general, theirs, status);
  }

  #newSuccess(older: Responses, response: Json, status: string): boolean {
    const known = [...older].filter(([other]) => /^2/.test(other))
      .map(([other, one]) => bodiesOf(other, one));
    const schemas = Map.groupBy(known.flatMap((bodies) => [...bodies]), ([type]) => type);
    const given = bodiesOf(status, response);
    const shared = [...given].filter(([type]) => schemas.has(type));
    for (const [type, media] of shared) {
      const [first = true, ...others] = schemas.get(type)!.map(([, media]) => schemaOf(media));
      const union = others.length === 0 ? first : { anyOf: [first, ...others] };
      const differences = this.schemas.output.compare(union, schemaOf(media));
      this.#collect(`${status} ${type}`, differences);
    }
    const isKnown = given.size > 0 ? shared.length > 0 : known.some(({ size }) => size === 0);
    if (schemas.size === 0 || isKnown) return false;
    const [old, text] = [schemas, given].map((types) => [...types.keys()].join(", ") || "no body");
    this.#breaks(status, "changed", old, text);
    return true;
  }

  #response(ours: Json, theirs: Json, status: string): void {
    this.#content("output", ours, theirs, status);
    const successors = new Map(
      headersOf(this.after, theirs).map(([name, header]) => [name.toLowerCase(), header]),
    );
    for (const [name, header] of headersOf(this.before, ours)) {
      const where = `${status} header '${name}'`;
      const successor = successors.get(name.toLowerCase());
      if (successor === undefined) {
        this.#breaks(where, "removed", header.schema);
        continue;
      }
      if (header.required === true && successor.required !== true) {
        this.#breaks(where, "no longer required", "required", "optional");
      }
      const differences = this.schemas.output.compare(schemaOf(header), schemaOf(successor));
      this.#collect(where, differences);
    }
  }
}

type Server = ReturnType<typeof serversOf>[number];

/** The servers whose values no other takes, with one that differs in values alone. */
function withoutTwin(ones: readonly Server[], others: readonly Server[]) {
  return ones.flatMap((one) => {
    const same = others.filter(({ key }) => key === one.key);
    const hasTwin = same.some((other) =>
      Object.entries(other.values).every(([name, known]) =>
        known === undefined || one.values[name]?.every((value) => known.includes(value)) === true
      )
    );
    return hasTwin ? [] : [[one, same[0]] as const];
  });
}

/** Without servers there is `/` (OpenAPI 3.1, 4.8.1). */
function serversOf({ servers }: DescribedOperation) {
  const given: readonly Json[] = Array.isArray(servers) && servers.length > 0
    ? servers
    : [{ url: "/" }];
  const compared = (key: string, value: unknown) => {
    if (key === "description" || key === "enum") return undefined;
    return key === "url" ? String(value).replace(/\/$/, "") : value;
  };
  return given.map((server) => {
    const variables = Object.entries(recordOf(server.variables)).map(([name, variable]) => {
      const values = recordOf(variable).enum;
      return [name, Array.isArray(values) ? values as unknown[] : undefined] as const;
    });
    const values = Object.fromEntries(variables);
    return { url: String(server.url), key: JSON.stringify(server, compared), values };
  });
}

function parametersOf({ path, parameters }: DescribedOperation): ReadonlyMap<string, Json> {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  return new Map(parameters.map((parameter) => {
    const { in: place, name } = parameter;
    const key = place === "path" ? `path ${names.indexOf(String(name))}` : parameterKey(parameter);
    return [key, parameter];
  }));
}

/** The default of a member of a parameter (OpenAPI 3.1, 4.8.12.2). */
function defaultOf({ in: place, style, content }: Json, keyword: string): unknown {
  if (content !== undefined) return undefined;
  const defaultStyle = place === "query" || place === "cookie" ? "form" : "simple";
  if (keyword === "style") return defaultStyle;
  if (keyword === "explode") return (style ?? defaultStyle) === "form";
  return keyword === "allowReserved" ? false : undefined;
}

/** By media type in one spelling; JSON is always UTF-8 (RFC 8259, 8.1). */
function mediaTypes({ content }: Json): ReadonlyMap<string, Json> {
  return new Map(
    Object.entries(recordOf(content)).map(([type, media]) => {
      const plain = type.toLowerCase().replace(/\s/g, "");
      const isUtf8 = isJson(plain) && /;charset="?utf-8"?$/.test(plain);
      return [isUtf8 ? essence(plain) : plain, recordOf(media)];
    }),
  );
}

function schemaOf({ schema }: Json): Schema {
  return isSchema(schema) ? schema : true;
}

type Responses = ReadonlyMap<string, Json>;

function responsesOf({ body, reader }: DescribedOperation): Responses {
  const all = Object.entries(recordOf(body.responses));
  return new Map(all.map(([status, response]) => [status, reader.follow(response)]));
}

/** Bodies by media type; 204 and 205 never have one (RFC 9110, 15.3.5 and 15.3.6). */
function bodiesOf(status: string, response: Json): ReadonlyMap<string, Json> {
  return status === "204" || status === "205" ? new Map() : mediaTypes(response);
}

function headersOf({ reader }: DescribedOperation, { headers }: Json): readonly [string, Json][] {
  return Object.entries(recordOf(headers)).map(([name, header]) => [name, reader.follow(header)]);
}
