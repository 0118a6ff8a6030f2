/** The types of a module as data: which values they accept, and values of them. */
import { parse } from "@babel/parser";
import fc from "fast-check";

/** A type of the module, as Babel reads it. */
export interface TypeNode {
  readonly type: string;
  // deno-lint-ignore no-explicit-any -- a tree of Babel
  readonly [member: string]: any;
}

export interface TypeModule {
  readonly types: ReadonlyMap<string, Declaration>;
}

interface Declaration {
  readonly parameter?: string;
  readonly node: TypeNode;
}

export function readTypes(text: string): TypeModule {
  const { program } = parse(text, { sourceType: "module", plugins: ["typescript"] });
  const types = new Map<string, Declaration>();
  for (const statement of program.body as unknown as TypeNode[]) {
    const { id, typeParameters, typeAnnotation, body } = statement.declaration;
    const parameter = typeParameters?.params[0].name.name;
    types.set(id.name, { parameter, node: typeAnnotation ?? { ...body, type: "TSTypeLiteral" } });
  }
  return { types };
}

type Bound = ReadonlyMap<string, TypeNode>;

/** The type behind a name, with the names of the module and of parameters replaced. */
function resolved(node: TypeNode, module: TypeModule, bound: Bound): readonly [TypeNode, Bound] {
  if (node.type === "TSParenthesizedType") return resolved(node.typeAnnotation, module, bound);
  if (node.type === "TSTypeOperator") return resolved(node.typeAnnotation, module, bound);
  if (node.type !== "TSTypeReference") return [node, bound];
  const name = node.typeName.name as string;
  const parameter = bound.get(name);
  if (parameter) return resolved(parameter, module, new Map());
  const [argument] = (node.typeArguments ?? node.typeParameters)?.params ?? [];
  if (name === "Readonly") return resolved(argument, module, bound);
  const declaration = module.types.get(name);
  if (declaration === undefined) return [node, bound];
  const given = argument && close(argument, bound);
  const next = new Map(given && declaration.parameter ? [[declaration.parameter, given]] : []);
  return resolved(declaration.node, module, next);
}

/** A type in which no parameter is left. */
function close(node: TypeNode, bound: Bound): TypeNode {
  return bound.size === 0 ? node : JSON.parse(JSON.stringify(node), (_, value) => {
    if (value?.type !== "TSTypeReference") return value;
    return bound.get(value.typeName.name) ?? value;
  });
}

/** One object type with the members of several. */
function intersection({ types }: TypeNode, module: TypeModule): TypeNode {
  const members = types.flatMap((one: TypeNode) => {
    const [type] = resolved(one, module, new Map());
    return type.members ?? type.body;
  });
  return { type: "TSTypeLiteral", members };
}

function recordValue(node: TypeNode): TypeNode | undefined {
  if (node.type !== "TSTypeReference" || node.typeName.name !== "Record") return undefined;
  return (node.typeArguments ?? node.typeParameters).params[1];
}

function membersOf(node: TypeNode) {
  const properties: { name: string; isOptional: boolean; node: TypeNode }[] = [];
  let rest: TypeNode | undefined;
  for (const member of node.members ?? node.body) {
    const annotation = member.typeAnnotation.typeAnnotation;
    if (member.type === "TSIndexSignature") rest = annotation;
    else {
      const name = member.key.name ?? member.key.value;
      properties.push({ name, isOptional: member.optional === true, node: annotation });
    }
  }
  return { properties, rest };
}

/** Whether a literal of this value compiles as the type. */
export function accepts(
  node: TypeNode,
  value: unknown,
  module: TypeModule,
  bound: Bound = new Map(),
): boolean {
  const [type, within] = resolved(node, module, bound);
  const inner = (one: TypeNode, part: unknown) => accepts(one, part, module, within);
  switch (type.type) {
    case "TSUnionType":
      return type.types.some((one: TypeNode) => inner(one, value));
    case "TSIntersectionType":
      return isPlain(value) && acceptsObject(intersection(type, module), value, inner);
    case "TSTupleType":
      return Array.isArray(value) && value.length > 0 &&
        value.every((one) => inner(type.elementTypes[0], one));
    case "TSArrayType":
      return Array.isArray(value) && value.every((one) => inner(type.elementType, one));
    case "TSLiteralType":
      return value === type.literal.value;
    case "TSUnknownKeyword":
      return true;
    case "TSNullKeyword":
      return value === null;
    case "TSNeverKeyword":
      return false;
    case "TSTypeLiteral":
      return isPlain(value) && acceptsObject(type, value, inner);
  }
  const record = recordValue(type);
  if (record) return isPlain(value) && Object.values(value).every((one) => inner(record, one));
  return type.type === `TS${(typeof value)[0]!.toUpperCase()}${(typeof value).slice(1)}Keyword`;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function acceptsObject(
  type: TypeNode,
  value: Record<string, unknown>,
  inner: (node: TypeNode, part: unknown) => boolean,
): boolean {
  const { properties, rest } = membersOf(type);
  const named = new Set(properties.map(({ name }) => name));
  return properties.every(({ name, isOptional, node }) =>
    Object.hasOwn(value, name) ? inner(node, value[name]) : isOptional
  ) && Object.entries(value).every(([name, one]) =>
    named.has(name) || (rest !== undefined && inner(rest, one))
  );
}

type Mapping = Readonly<Record<string, unknown>>;

/**
 * Values of a type. What the type leaves open, formats and ranges, comes from the mapping of the field.
 *
 * @param scalar a text, or a number, that the cluster can read for a mapping
 */
export function valuesOf(
  node: TypeNode,
  mapping: Mapping,
  module: TypeModule,
  scalar: (kind: "string" | "number", mapping: Mapping) => fc.Arbitrary<unknown>,
  bound: Bound = new Map(),
): fc.Arbitrary<unknown> {
  const [type, within] = resolved(node, module, bound);
  const inner = (one: TypeNode, of: Mapping = mapping) => valuesOf(one, of, module, scalar, within);
  switch (type.type) {
    case "TSUnionType":
      return fc.oneof(...type.types.map((one: TypeNode) => inner(one)));
    case "TSIntersectionType":
      return fc.tuple(...type.types.map((one: TypeNode) => inner(one)))
        .map((parts) => Object.assign({}, ...parts as object[]));
    case "TSTupleType":
      // A list that is not empty, the only one in these modules.
      return fc.array(inner(type.elementTypes[0]), { minLength: 1, maxLength: 3 });
    case "TSArrayType": {
      const dimension = Number(mapping.dimension ?? mapping.dims ?? 0);
      return fc.array(inner(type.elementType), {
        minLength: dimension,
        maxLength: dimension || 3,
      });
    }
    case "TSLiteralType":
      return fc.constant(type.literal.value);
    case "TSNullKeyword":
      return fc.constant(null);
    case "TSBooleanKeyword":
      return fc.boolean();
    case "TSUnknownKeyword":
      return fc.constantFrom<unknown>("text", 1.5, true, null, [1, "a"], { a: [{ b: 1 }] });
    case "TSStringKeyword":
      return scalar("string", mapping);
    case "TSNumberKeyword":
      return scalar("number", mapping);
    case "TSTypeLiteral": {
      const fields = (mapping.properties ?? {}) as Readonly<Record<string, Mapping>>;
      const { properties } = membersOf(type);
      if (properties.some(({ name }) => name === "gte")) {
        // Two bounds would have to be in order.
        const bounds = properties.map(({ name, node }) =>
          inner(node, mapping.type === "ip_range" ? { type: "ip" } : mapping).map((one) => ({
            [name]: one,
          }))
        );
        return fc.oneof(fc.constant({}), ...bounds);
      }
      const values = Object.fromEntries(
        properties.map(({ name, node }) => [name, inner(node, fields[name] ?? mapping)]),
      );
      const requiredKeys = properties.filter(({ isOptional }) => !isOptional).map(({ name }) =>
        name
      );
      return fc.record(values, { requiredKeys });
    }
  }
  const record = recordValue(type);
  if (record === undefined) throw new Error(`No values of ${type.type}`);
  if (record.type === "TSNeverKeyword") return fc.constant({});
  return fc.dictionary(fc.constantFrom("a", "b", "c"), inner(record), { maxKeys: 2 });
}
