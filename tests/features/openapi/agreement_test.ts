import { assert, assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { bootstrap } from "@irori/irori";
import { type OpenApiDocument, openApiDocument } from "@irori/irori/openapi";
import { depth } from "../../long/mod.ts";
import { Draw, generateApplication, type GeneratedApplication, TYPES } from "./applications.ts";

const APPLICATIONS = depth(15, 500);
const VALUES = 8;

Deno.test("openApiDocument() + accepts what the server accepts, and nothing else", async () => {
  const counts = { applications: 0, values: 0, accepted: 0 };
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (gen) => {
      const draw = new Draw(gen);
      const generated = generateApplication(draw);
      await using app = await bootstrap({ components: [generated.controller] });
      const document = openApiDocument(app.routeTable, { title: "", version: "" });
      const checks = checksOf(document);
      counts.applications++;
      for (let round = 0; round < VALUES; round++) {
        for (const attempt of attemptsOf(draw, generated, checks)) {
          const { about, path, init, isAccepted } = attempt;
          const response = await app.request(path, init);
          const text = await response.text();
          const described = `${about}: ${path} ${init?.body ?? ""} ${text}\n${
            JSON.stringify(document)
          }`;
          assertEquals(response.status, isAccepted ? 200 : 400, described);
          if (isAccepted && checks.answer.has(path)) {
            assert(checks.answer.get(path)!(JSON.parse(text)), `the answer of ${described}`);
          }
          counts.values++;
          if (isAccepted) counts.accepted++;
        }
      }
    }),
    { numRuns: APPLICATIONS, seed: 53 },
  );
  assertEquals(counts.applications, APPLICATIONS);
  assert(counts.accepted > counts.values / 4, JSON.stringify(counts));
  if (APPLICATIONS >= 500) console.log(JSON.stringify(counts));
});

type Fits = (value: unknown) => boolean;

interface Checks {
  readonly body: readonly Fits[];
  readonly answer: ReadonlyMap<string, Fits>;
  /** For each parameter of the query. */
  readonly query: ReadonlyMap<
    string,
    { readonly isRequired: boolean; readonly isList: boolean; readonly fits: Fits }
  >;
  readonly form: Fits;
}

function checksOf(document: OpenApiDocument): Checks {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ ...document, $id: "doc" });
  const at = (pointer: string) => ajv.compile({ $ref: `doc#/paths/${pointer}/schema` }) as Fits;
  const paths = Array.from({ length: TYPES }, (_, index) => `/t${index}`);
  const parameters = document.paths["/query"]?.get?.parameters ?? [];
  const form = "application~1x-www-form-urlencoded";
  return {
    body: paths.map((path) => at(`~1${path.slice(1)}/post/requestBody/content/application~1json`)),
    answer: new Map(paths.map((path) => [
      path,
      at(`~1${path.slice(1)}/post/responses/200/content/application~1json`),
    ])),
    query: new Map(parameters.map(({ name, required, schema }, index) => [
      name,
      {
        isRequired: required,
        isList: JSON.stringify(schema).includes('"array"'),
        fits: at(`~1query/get/parameters/${index}`),
      },
    ])),
    form: at(`~1form/post/requestBody/content/${form}`),
  };
}

interface Attempt {
  readonly about: string;
  readonly path: string;
  readonly init?: RequestInit;
  readonly isAccepted: boolean;
}

function* attemptsOf(
  draw: Draw,
  { bodies, fields }: GeneratedApplication,
  checks: Checks,
): Generator<Attempt> {
  for (const [index, make] of bodies.entries()) {
    const valid = make(0);
    const value = draw.chance() ? valid : changed(draw, valid);
    yield {
      about: "body",
      path: `/t${index}`,
      init: {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(value),
      },
      isAccepted: checks.body[index]!(value),
    };
  }
  const sent = new Map<string, string[]>();
  for (const { name, isList, isOptional, text } of fields) {
    if (isOptional ? draw.chance() : draw.chance(10)) continue;
    const count = isList ? 1 + draw.below(4) : 1;
    sent.set(name, Array.from({ length: count }, () => draw.chance(10) ? "other" : text()));
  }
  const typed = Object.fromEntries(fields.flatMap(({ name, isList }) => {
    const values = sent.get(name)?.map((one) => /^\d+$/.test(one) ? Number(one) : one);
    return values ? [[name, isList ? values : values[0]]] : [];
  }));
  const asText = Object.fromEntries(fields.flatMap(({ name, isList }) => {
    const values = sent.get(name);
    return values ? [[name, isList ? values : values[0]]] : [];
  }));
  const pairs = new URLSearchParams(
    [...sent].flatMap(([name, values]) => values.map((one) => [name, one])),
  );
  assertEquals([...checks.query.keys()], fields.map(({ name }) => name));
  yield {
    about: "query",
    path: `/query?${pairs}`,
    isAccepted: [...checks.query].every(([name, { isRequired, fits }]) =>
      name in typed ? fits(typed[name]) || fits(asText[name]) : !isRequired
    ),
  };
  yield {
    about: "form",
    path: "/form",
    init: { method: "POST", body: pairs },
    isAccepted: checks.form(typed) || checks.form(asText),
  };
}

const JUNK = [null, "", "other", -1, 1.5, 99999, true, [], {}, ["x"], { kind: "cat" }];

/** A value with one change somewhere, which may make it invalid. */
function changed(draw: Draw, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && !draw.chance(3)) {
    const index = draw.below(value.length);
    return draw.chance(4)
      ? [...value, ...value, ...value]
      : value.map((item, at) => at === index ? changed(draw, item) : item);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value) && !draw.chance(5)) {
    const entries = Object.entries(value);
    const index = draw.below(entries.length + 1);
    if (index === entries.length) return { ...value, unknown: 1 };
    return Object.fromEntries(entries.flatMap(([name, inner], at): [string, unknown][] => {
      if (at !== index) return [[name, inner]];
      return draw.chance(3) ? [] : [[name, changed(draw, inner)]];
    }));
  }
  return draw.pick(JUNK);
}
