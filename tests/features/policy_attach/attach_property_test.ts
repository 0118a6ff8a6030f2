import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { overlap } from "../../../src/migrations/search/guards/overlap.ts";
import { apply, connectionTo, planned } from "../../migrations/search/runner.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { policies } from "../policy_effects/support.ts";
import { explained, make, policyFile } from "./support.ts";

const NAMES = ["a-1", "a-2", "ab-1", "b-1", "b-2", "c"];
const PATTERNS = ["*", "a*", "a-*", "ab-*", "b-1", "b-*", "*-1"];

interface Spec {
  readonly pattern: string;
  readonly priority: number;
}

const spec = fc.record({ pattern: fc.constantFrom(...PATTERNS), priority: fc.nat(3) });

/** Those that a cluster accepts beside each other. */
function compatible(specs: readonly Spec[]): readonly Spec[] {
  return specs.reduce<readonly Spec[]>((kept, one) => {
    const isClash = kept.some((other) =>
      other.priority === one.priority && overlap(other.pattern, one.pattern)
    );
    return isClash ? kept : [...kept, one];
  }, []);
}

Deno.test("policy_attach + attaches what plan names, and what ISM gives to an index that is created then", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(NAMES, { minLength: 1 }),
      fc.array(spec, { maxLength: 5 }),
      fc.nat(4),
      async (names, specs, count) => {
        await using double = startClusterDouble();
        const all = compatible(specs).map(({ pattern, priority }, index) =>
          policyFile(`p${index}`, pattern, { priority })
        );
        const [live, files] = [all.slice(0, count), all.slice(count)];
        await make(double, ...names);
        if (live.length > 0) await apply(double.url, Object.assign({}, ...live));
        const connection = { ...policies(connectionTo(double.url), "apply"), name: "other" };
        const tree = Object.assign({}, ...files);
        const { steps } = await planned(connection, tree);
        const named = steps.flatMap(({ requests, resource }) =>
          requests.flatMap((request) => {
            const [, list = ""] = /^POST \S+\/add\/(\S+)/.exec(request) ?? [];
            return list === ""
              ? []
              : list.split(",").map((name) => [name, resource.replace("policy ", "")]);
          })
        );
        assertEquals((await apply(connection, tree)).error, undefined);
        const found = Object.entries(await explained(double)).filter(([, policy]) => policy);
        assertEquals(Object.fromEntries(found), Object.fromEntries(named));

        // The other name of an index has the same patterns, unless they end with it.
        await make(double, ...names.map((name) => `${name}x`));
        const wanted = await explained(double);
        const own = files.flatMap((file) => Object.keys(file)).map((path) =>
          path.replace("-policy.json", "")
        );
        for (const name of names.filter((name) => !name.endsWith("-1"))) {
          const ideal = wanted[`${name}x`];
          const expected = own.includes(ideal ?? "") ? ideal : undefined;
          assertEquals(wanted[name], expected, name);
        }
      },
    ),
    { numRuns: 60 },
  );
});
