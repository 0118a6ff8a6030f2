import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import * as fc from "fast-check";
import {
  type ApplicationContext,
  Bean,
  BeanCreationError,
  BeanCycleError,
  Component,
  Configuration,
  type Constructor,
  inject,
  PostConstruct,
  PreDestroy,
} from "../../src/container/mod.ts";
import { contextOf } from "./context_of.ts";

interface Node {
  readonly kind: "class" | "factory" | "async factory";
  /** Whether its `@PostConstruct` is awaited. */
  readonly isSlow: boolean;
  readonly needs: readonly number[];
  readonly fails: boolean;
}

/** The result of a graph of beans, each of which is named after its number. */
interface Outcome {
  readonly context?: ApplicationContext;
  readonly error?: unknown;
  /** The names of beans, in the order in which each event happened to them. */
  readonly made: readonly string[];
  readonly initialised: readonly string[];
  readonly closed: readonly string[];
  /** How often each constructor or factory was called. */
  readonly calls: ReadonlyMap<string, number>;
}

class Made {
  constructor(readonly name: string, readonly given: readonly Made[]) {}
}

/** Builds the beans, declared in an order, and closes them again. */
async function build(nodes: readonly Node[], order: readonly number[]): Promise<Outcome> {
  const made: string[] = [];
  const initialised: string[] = [];
  const closed: string[] = [];
  const calls = new Map<string, number>();
  const begin = (name: string, { needs, fails }: Node): readonly Made[] => {
    calls.set(name, (calls.get(name) ?? 0) + 1);
    const given = needs.map((need) => inject<Made>(`bean${need}`));
    if (fails) throw new Error(`${name} fails`);
    for (const one of given) {
      assert(made.includes(one.name), `${name} was given ${one.name} before it was made`);
    }
    return given;
  };
  const componentOf = (index: number): Constructor => {
    const name = `bean${index}`;
    const node = nodes[index]!;
    class Bound extends Made {
      constructor(given: readonly Made[]) {
        super(name, given);
        made.push(name);
      }
      @PostConstruct()
      open(): void | Promise<void> {
        for (const { name } of this.given) assert(initialised.includes(name));
        const end = () => void initialised.push(name);
        return node.isSlow ? new Promise<void>((resolve) => setTimeout(resolve)).then(end) : end();
      }
      @PreDestroy()
      close() {
        closed.push(name);
      }
    }
    if (node.kind === "class") {
      @Component(name)
      class Own extends Bound {
        constructor() {
          super(begin(name, node));
        }
      }
      return Own;
    }
    @Configuration(`beans${index}`)
    class Beans {
      @Bean(name)
      make(): Made | Promise<Made> {
        return node.kind === "factory" ? new Bound(begin(name, node)) : this.later();
      }
      /** `inject()` rejects its promise where it has to wait. */
      async later(): Promise<Made> {
        const given = begin(name, node);
        await new Promise((resolve) => setTimeout(resolve));
        return new Bound(given);
      }
    }
    return Beans;
  };
  try {
    const context = await contextOf(...order.map(componentOf));
    await context.close();
    return { context, made, initialised, closed, calls };
  } catch (error) {
    return { error, made, initialised, closed, calls };
  }
}

const SIZE = 8;
const needs = (most: number): fc.Arbitrary<number[]> =>
  most < 0 ? fc.constant([]) : fc.uniqueArray(fc.nat(most), { maxLength: 3 });
const nodeWith = (needs: fc.Arbitrary<number[]>, fails: fc.Arbitrary<boolean>) =>
  fc.record<Node>({
    kind: fc.constantFrom("class", "factory", "async factory"),
    isSlow: fc.boolean(),
    needs,
    fails,
  });
/** Beans that need only those with smaller numbers. */
const graph = fc.tuple(
  ...Array.from({ length: SIZE }, (_, index) => nodeWith(needs(index - 1), fc.constant(false))),
);
const order = fc.shuffledSubarray(Array.from({ length: SIZE }, (_, index) => index), {
  minLength: SIZE,
});

function hasCycle(nodes: readonly Node[]): boolean {
  const reaches = (from: number, to: number, seen: readonly number[] = []): boolean =>
    nodes[from]!.needs.some((next) =>
      next === to || !seen.includes(next) && reaches(next, to, [...seen, next])
    );
  return nodes.some((_, index) => reaches(index, index));
}

Deno.test("createContext() + builds any graph once, needs first, and closes it in reverse", async () => {
  await fc.assert(
    fc.asyncProperty(graph, order, async (nodes, order) => {
      const { context, error, made, initialised, closed, calls } = await build(nodes, order);
      assertEquals(error, undefined);
      assertEquals(new Set(made).size, made.length);
      assertEquals(made.length, SIZE);
      assertEquals(initialised.toSorted(), made.toSorted());
      assertEquals(closed, made.toReversed());
      nodes.forEach(({ needs }, index) => {
        const { given } = context!.getByName(`bean${index}`) as Made;
        assertEquals(given, needs.map((need) => context!.getByName(`bean${need}`) as Made));
        // Only what has to be awaited makes a factory run again, once for each such bean.
        assert(calls.get(`bean${index}`)! <= 1 + needs.length);
      });
    }),
    { numRuns: 200 },
  );
});

Deno.test("createContext() + calls each factory once where nothing has to be awaited", async () => {
  await fc.assert(
    fc.asyncProperty(graph, order, async (nodes, order) => {
      const synchronous = nodes.map((node): Node => ({
        ...node,
        kind: node.kind === "class" ? "class" : "factory",
        isSlow: false,
      }));
      const { made, calls } = await build(synchronous, order);
      assertEquals(made.length, SIZE);
      assertEquals([...calls.values()], made.map(() => 1));
    }),
    { numRuns: 200 },
  );
});

Deno.test("createContext() + gives the same beans whatever the order of declaration", async () => {
  await fc.assert(
    fc.asyncProperty(graph, order, order, async (nodes, one, another) => {
      const given = async (order: readonly number[]) => {
        const { context } = await build(nodes, order);
        return nodes.map((_, index) => {
          const bean = context!.getByName(`bean${index}`) as Made;
          return [bean.name, ...bean.given.map(({ name }) => name)];
        });
      };
      assertEquals(await given(one), await given(another));
    }),
    { numRuns: 50 },
  );
});

Deno.test("createContext() + reports a cycle or a failure of any graph, and closes what was built", async () => {
  const anyGraph = fc.array(
    nodeWith(needs(SIZE - 1), fc.integer({ max: 9, min: 0 }).map((chance) => chance === 0)),
    { minLength: SIZE, maxLength: SIZE },
  );
  await fc.assert(
    fc.asyncProperty(anyGraph, order, async (nodes, order) => {
      const { error, made, closed } = await build(nodes, order);
      assertEquals(closed, made.toReversed());
      if (error instanceof BeanCycleError) {
        assertEquals(error.path.at(0), error.path.at(-1));
        error.path.slice(1).forEach((name, index) => {
          const { needs } = nodes[Number(error.path[index]!.slice("bean".length))]!;
          assert(needs.includes(Number(name.slice("bean".length))));
        });
        return;
      }
      assert(!hasCycle(nodes) || error !== undefined);
      if (!nodes.some(({ fails }) => fails)) return assertEquals(error, undefined);
      assertInstanceOf(error, BeanCreationError);
      assertEquals(error.message.split(": ").at(-1), `${error.path.at(-1)} fails`);
    }),
    { numRuns: 200 },
  );
});
