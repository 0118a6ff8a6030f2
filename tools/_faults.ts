import { type Node, programOf, shortened, visit } from "./_syntax.ts";

/** One small fault in a source. */
export interface Fault {
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** What becomes what. */
  readonly change: string;
  /** The file with the fault. */
  readonly source: string;
}

/**
 * Every fault of a source that is tried: a condition turned round, a comparison, a connective or a fallback exchanged, a
 * number one higher, a truth value turned round, a call as a statement left out.
 */
export function faultsOf(file: string, source: string): readonly Fault[] {
  const program = programOf(source);
  const found: Fault[] = [];
  visit(program, [], (node, parents) => {
    if ([node, ...parents].some(isType)) return;
    for (const { of, by } of changesOf(node, source)) {
      const text = (one: Node) => source.slice(one.start, one.end);
      found.push({
        file,
        line: of.loc.start.line,
        column: of.loc.start.column + 1,
        change: `${shortened(text(of))} → ${shortened(by)}`,
        source: source.slice(0, of.start) + by + source.slice(of.end),
      });
    }
  });
  return found;
}

/** What holds an expression beside a type. */
const WITH_EXPRESSION =
  /^TS(?:As|Satisfies|NonNull|Instantiation)Expression$|^TSParameterProperty$/;

function isType({ type }: Node): boolean {
  return type.startsWith("TS") && !WITH_EXPRESSION.test(type);
}

const EXCHANGED: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
};

function* changesOf(
  node: Node,
  source: string,
): Iterable<{ readonly of: Node; readonly by: string }> {
  const { test, left, right, operator, expression, value } = node as unknown as Record<
    string,
    Node & string
  >;
  const text = (of: Node) => source.slice(of.start, of.end);
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
      return yield { of: test!, by: `!(${text(test!)})` };
    case "BinaryExpression":
    case "LogicalExpression": {
      const other = EXCHANGED[operator!];
      if (other) {
        // Parentheses stand between the operator and what it joins.
        const [before, between, after] = [
          source.slice(node.start, left!.end),
          source.slice(left!.end, right!.start),
          source.slice(right!.start, node.end),
        ];
        yield { of: node, by: before + between.replace(operator!, other) + after };
      }
      if (operator === "??") yield { of: node, by: text(right!) };
      return;
    }
    case "NumericLiteral":
      return yield { of: node, by: String(Number(value) + 1) };
    case "BooleanLiteral":
      return yield { of: node, by: String(!value) };
    case "ExpressionStatement": {
      const { type, argument } = expression as unknown as Node & { readonly argument?: Node };
      const call = type === "AwaitExpression" ? argument!.type : type;
      // Another statement in its place, as the number of statements is tested, too.
      if (call === "CallExpression") yield { of: node, by: "undefined;" };
    }
  }
}

/**
 * Sorts by a seed. An item has the same place among the others whatever else is there, so that a draw stays as it is where
 * other sources change.
 */
export async function drawn<T>(
  items: readonly T[],
  seed: number,
  itemName: (item: T) => string,
): Promise<readonly T[]> {
  const hashed = await Promise.all(items.map(async (item) => {
    const bytes = new TextEncoder().encode(`${seed} ${itemName(item)}`);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
    return { item, hash };
  }));
  return hashed.sort((one, other) => one.hash < other.hash ? -1 : 1).map(({ item }) => item);
}
