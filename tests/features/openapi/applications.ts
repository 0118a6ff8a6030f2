import fc from "fast-check";
import * as z from "zod";
import {
  FormParam,
  GetMapping,
  Model,
  PostMapping,
  RequestBody,
  RequestParam,
  RestController,
} from "@irori/irori";

/** A schema with a generator of values that it accepts. */
interface GeneratedType {
  readonly schema: z.ZodType;
  value(depth: number): unknown;
}

/** A field of a query or form, with the texts of values that it accepts. */
interface TextField {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly isList: boolean;
  readonly isOptional: boolean;
  text(): string;
}

export interface GeneratedApplication {
  readonly controller: new () => object;
  /** Values of each `POST /t<index>`. */
  readonly bodies: readonly ((depth: number) => unknown)[];
  readonly fields: readonly TextField[];
}

/** Draws from the generator of fast-check, so that failures shrink. */
export class Draw {
  #ids = 0;

  constructor(readonly gen: fc.GeneratorValue) {}

  below(count: number): number {
    return this.gen(fc.nat, count - 1);
  }

  id(): number {
    return this.#ids++;
  }

  chance(of = 2): boolean {
    return this.below(of) === 0;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

const WORDS = ["a", "b", "red", "green", "2026-01-31", "x y", "1,2", "ü&="];

/** An application with recursive, named and strict schemas in bodies, and with lists in a query and a form. */
export function generateApplication(draw: Draw): GeneratedApplication {
  const types: GeneratedType[] = [];
  for (let index = 0; index < TYPES; index++) types.push(named(draw, types, index));
  const fields = Array.from({ length: 1 + draw.below(4) }, (_, index) => textField(draw, index));
  const object = z.object(Object.fromEntries(fields.map(({ name, schema }) => [name, schema])));
  const whole = () =>
    draw.pick<() => z.ZodType>([
      () => object,
      () => object.meta({ id: "Whole" }),
      () => classOf("WholeClass", object),
    ])();
  const query = whole();
  const schemas = types.map(({ schema }) => schema);
  return {
    controller: controllerOf(schemas, query, draw.chance() ? query : whole()),
    bodies: types.map(({ value }) => value),
    fields,
  };
}

export const TYPES = 3;

function named(draw: Draw, types: readonly GeneratedType[], index: number): GeneratedType {
  const names = ["one", "two", "three", "four"].slice(0, 1 + draw.below(4));
  const fields = new Map(names.map((name) => [name, field(draw, types)]));
  const getters = [...fields].map(([name, { schema }]) => [
    name,
    { get: schema, enumerable: true, configurable: true },
  ]);
  const shape = Object.defineProperties({}, Object.fromEntries(getters));
  const object: z.ZodType = draw.chance(3) ? z.strictObject(shape) : z.object(shape);
  const schema = draw.pick<() => z.ZodType>([
    () => object.meta({ id: `Type${index}` }),
    () => object,
    () => classOf(`Class${index}`, object),
  ])();
  const value = (depth: number) => {
    const made = [...fields].filter(([, one]) => !(one.isOptional && (depth > 2 || draw.chance())));
    return Object.fromEntries(made.map(([name, one]) => [name, one.value(depth + 1)]));
  };
  return { schema, value };
}

function classOf(name: string, schema: z.ZodType): z.ZodType {
  const type = class extends Model(schema as z.ZodObject) {};
  Object.defineProperty(type, "name", { value: name });
  return type as unknown as z.ZodType;
}

interface Field {
  schema(): z.ZodType;
  readonly isOptional: boolean;
  value(depth: number): unknown;
}

function field(draw: Draw, types: readonly GeneratedType[]): Field {
  const target = draw.below(TYPES);
  const refer = () => {
    const { schema } = types[target]!;
    return typeof schema === "function" ? z.lazy(() => schema) : schema;
  };
  const value = (depth: number) => types[target]!.value(depth);
  const few = (depth: number) =>
    depth > 3 ? [] : Array.from({ length: draw.below(3) }, () => value(depth));
  switch (draw.below(9)) {
    case 0:
      return { schema: () => refer().optional(), isOptional: true, value };
    case 1:
      return { schema: () => z.array(refer()), isOptional: false, value: few };
    case 2:
      return { schema: () => z.array(refer()).default([]), isOptional: true, value: few };
    case 3:
      return {
        schema: () => z.record(z.string(), refer()).optional(),
        isOptional: true,
        value: (depth) => Object.fromEntries(few(depth).map((one, index) => [`k${index}`, one])),
      };
    case 4:
      return {
        schema: () => z.union([refer(), z.literal("none")]).optional(),
        isOptional: true,
        value: (depth) => draw.chance() ? "none" : value(depth),
      };
    case 5: {
      const shape = { base: z.int().default(1) };
      const object = draw.chance() ? z.object(shape) : z.strictObject(shape);
      const base = object.meta({ id: `Base${draw.id()}` });
      const more = z.object({
        extra: z.int().optional(),
        get refers() {
          return refer().optional();
        },
      });
      return {
        schema: () => z.intersection(base, more),
        isOptional: false,
        value: (depth) =>
          depth > 3 || draw.chance() ? { extra: 1 } : { base: 2, refers: value(depth) },
      };
    }
    case 6: {
      const id = `Tagged${draw.id()}`;
      const cat = z.object({ kind: z.literal("cat"), size: z.int().default(1) }).meta({ id });
      const dog = z.object({ kind: z.literal("dog"), name: z.string() }).meta({ id: `${id}Dog` });
      const either = z.discriminatedUnion("kind", [cat, dog]);
      const one = () => draw.chance() ? { kind: "cat" } : { kind: "dog", name: "a" };
      return { schema: () => either, isOptional: false, value: one };
    }
    default: {
      const { schema, value } = scalar(draw, 0);
      const wrap = draw.below(4);
      if (wrap === 0) return { schema: () => schema.optional(), isOptional: true, value };
      if (wrap === 1) {
        return { schema: () => schema.default(value(0)), isOptional: true, value };
      }
      if (wrap === 2) {
        const orNull = (depth: number) => draw.chance() ? null : value(depth);
        return { schema: () => schema.nullable(), isOptional: false, value: orNull };
      }
      return { schema: () => schema, isOptional: false, value };
    }
  }
}

function scalar(draw: Draw, depth: number): GeneratedType {
  const kinds = depth > 1 ? 7 : 12;
  switch (draw.below(kinds)) {
    case 0:
      return { schema: z.string().min(1).max(20), value: () => draw.pick(WORDS) };
    case 1:
      return { schema: z.int().min(-2).max(9), value: () => draw.below(12) - 2 };
    case 2:
      return { schema: z.int(), value: () => draw.pick([0, -1, 2 ** 40]) };
    case 3:
      return { schema: z.boolean(), value: () => draw.chance() };
    case 4:
      return { schema: z.enum(["a", "b"]), value: () => draw.pick(["a", "b"]) };
    case 5:
      return { schema: z.iso.date(), value: () => "2026-01-31" };
    case 6:
      return { schema: z.number().gt(0), value: () => draw.pick([0.5, 1, 1e6]) };
    case 7: {
      const item = scalar(draw, depth + 1);
      const length = 1 + draw.below(2);
      const value = () => Array.from({ length }, () => item.value(0));
      return { schema: z.array(item.schema).min(1).max(3), value };
    }
    case 8: {
      const [one, other] = [scalar(draw, depth + 1), scalar(draw, depth + 1)];
      const value = () => (draw.chance() ? one : other).value(0);
      return { schema: z.union([one.schema, other.schema]), value };
    }
    case 9: {
      const one = scalar(draw, depth + 1);
      const value = () => draw.chance() ? { a: one.value(0) } : {};
      return { schema: z.partialRecord(z.enum(["a", "b"]), one.schema), value };
    }
    case 10: {
      const [one, other] = [scalar(draw, depth + 1), scalar(draw, depth + 1)];
      return {
        schema: z.tuple([one.schema, other.schema]),
        value: () => [one.value(0), other.value(0)],
      };
    }
    default: {
      const one = scalar(draw, depth + 1);
      const cat = z.object({ kind: z.literal("cat"), one: one.schema.optional() });
      const dog = z.strictObject({ kind: z.enum(["dog", "wolf"]), one: one.schema });
      const value = () => draw.chance() ? { kind: "cat" } : { kind: "wolf", one: one.value(0) };
      return { schema: z.discriminatedUnion("kind", [cat, dog]), value };
    }
  }
}

function textField(draw: Draw, index: number): TextField {
  const [one, text] = draw.pick<() => readonly [z.ZodType, () => string]>([
    () => [z.string().min(1), () => draw.pick(WORDS)],
    () => [z.enum(["a", "b"]), () => draw.pick(["a", "b"])],
    () => [z.coerce.number().pipe(z.int().max(9)), () => String(draw.below(10))],
    () => [z.coerce.number().int().min(0), () => String(draw.below(10))],
    () => [z.union([z.enum(["a", "b"]), z.iso.date()]), () => draw.pick(["a", "2026-01-31"])],
  ])();
  const isList = draw.chance();
  const base: z.ZodType = isList ? z.array(one).max(3) : one;
  const wrap = draw.below(5);
  const schema = wrap === 4
    ? base.default(isList ? [] : "b")
    : wrap === 0
    ? base.optional()
    : wrap === 1
    ? base.nullish()
    : wrap === 2
    ? z.lazy(() => base).optional().readonly()
    : base;
  return { name: `f${index}`, schema, isList, isOptional: wrap !== 3, text };
}

function controllerOf(
  [t0, t1, t2]: readonly z.ZodType[],
  query: z.ZodType,
  form: z.ZodType,
): new () => object {
  @RestController()
  class GeneratedController {
    @PostMapping({ path: "/t0", returns: t0! }, RequestBody(t0!))
    t0(value: unknown) {
      return value;
    }
    @PostMapping({ path: "/t1", returns: t1! }, RequestBody(t1!))
    t1(value: unknown) {
      return value;
    }
    @PostMapping({ path: "/t2", returns: t2! }, RequestBody(t2!))
    t2(value: unknown) {
      return value;
    }
    @GetMapping("/query", RequestParam(query))
    query(value: unknown) {
      return plain(value);
    }
    @PostMapping("/form", FormParam(form))
    form(value: unknown) {
      return plain(value);
    }
  }
  return GeneratedController;
}

/** Without the class of a model. */
function plain(value: unknown): unknown {
  return { ...value as object };
}
