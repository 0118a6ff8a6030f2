import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import fc from "fast-check";
import { bootstrap } from "../../../mod.ts";
import { actuator, MeterRegistry } from "../../../src/features/actuator/mod.ts";
import {
  OPENMETRICS,
  prometheusFormat,
  prometheusText,
  TEXT,
} from "../../../src/features/actuator/prometheus.ts";
import { pythonPrograms, runProgram } from "../../servers/python.ts";

function example(): MeterRegistry {
  const meters = new MeterRegistry();
  meters.gauge("z.last", () => NaN, {}, { description: 'Says "a\\b"\nand more' });
  meters.counter("orders.placed", { channel: 'a"b\\c\nd' }, { description: "Orders" }).increment(2);
  meters.counter("orders.placed", { channel: "B" }).increment();
  meters.timer("work", { of: "x" }, { serviceLevelObjectives: [50, 1000] }).record(50);
  meters.timer("work", { of: "x" }).record(51);
  meters.timer("work", { of: "x" }).record(2000);
  meters.summary("upload-size", {}, { baseUnit: "bytes" }).record(3);
  meters.gauge("heat", () => -Infinity, {}, { baseUnit: "celsius" });
  return meters;
}

Deno.test("prometheusText() writes the text format 0.0.4, the same each time", () => {
  assertEquals(
    prometheusText(example().meters()),
    `# TYPE heat_celsius gauge
heat_celsius -Inf
# HELP orders_placed_total Orders
# TYPE orders_placed_total counter
orders_placed_total{channel="B"} 1
orders_placed_total{channel="a\\"b\\\\c\\nd"} 2
# TYPE upload_size_bytes summary
upload_size_bytes_count 1
upload_size_bytes_sum 3
# TYPE upload_size_bytes_max gauge
upload_size_bytes_max 3
# TYPE work_seconds histogram
work_seconds_bucket{of="x",le="0.05"} 1
work_seconds_bucket{of="x",le="1"} 2
work_seconds_bucket{of="x",le="+Inf"} 3
work_seconds_count{of="x"} 3
work_seconds_sum{of="x"} 2.101
# TYPE work_seconds_max gauge
work_seconds_max{of="x"} 2
# HELP z_last Says "a\\\\b"\\nand more
# TYPE z_last gauge
z_last NaN
`,
  );
});

Deno.test("prometheusText() writes OpenMetrics 1.0", () => {
  const text = prometheusText(example().meters(), OPENMETRICS);
  assertMatch(
    text,
    /^# TYPE orders_placed counter\n# HELP orders_placed Orders\norders_placed_total\{/m,
  );
  assertMatch(
    text,
    /^# TYPE work_seconds histogram\n# UNIT work_seconds seconds\nwork_.*le="0.05"\} 1$/m,
  );
  assertMatch(text, /le="1.0"\} 2\n.*le="\+Inf"\} 3$/m);
  assertMatch(text, /^# HELP z_last Says \\"a\\\\b\\"\\nand more$/m);
  assert(text.endsWith("\n# EOF\n"));
});

Deno.test("counters are named as counters are, whatever the application calls them", () => {
  const meters = new MeterRegistry();
  meters.counter("a.total").increment();
  meters.counter("b.bytes.total", {}, { baseUnit: "bytes" }).increment();
  meters.counter("c", {}, { baseUnit: "bytes" }).increment();
  meters.timer("d.seconds").record(0);
  const names = prometheusText(meters.meters()).match(/^[a-z_]+/gm);
  assertEquals(names, [
    "a_total",
    "b_bytes_total",
    "c_bytes_total",
    "d_seconds_count",
    "d_seconds_sum",
    "d_seconds_max",
  ]);
});

Deno.test("prometheusFormat() is what Accept prefers, else text", () => {
  const cases: [string | null, string][] = [
    [null, TEXT],
    ["*/*", TEXT],
    ["text/html", TEXT],
    ["text/plain", TEXT],
    ["application/openmetrics-text", OPENMETRICS],
    ["application/openmetrics-text;q=0.1,text/plain;q=0.5", TEXT],
    // The field of Prometheus 3.
    [
      "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5," +
      "application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3," +
      "text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
      OPENMETRICS,
    ],
  ];
  for (const [accept, format] of cases) assertEquals(prometheusFormat(accept), format, `${accept}`);
});

Deno.test("/actuator/prometheus answers in the format that is asked for", async () => {
  await using app = await bootstrap({
    config: { management: { endpoints: { include: "prometheus" } } },
    extensions: [actuator()],
  });
  for (const accept of [TEXT, OPENMETRICS]) {
    const response = await app.request("/actuator/prometheus", { headers: { accept } });
    assertEquals([response.headers.get("content-type"), response.headers.get("vary")], [
      accept,
      "Accept",
    ]);
    assertEquals((await response.text()).endsWith("# EOF\n"), accept === OPENMETRICS);
  }
});

/** Reads texts as the client library of Prometheus for Python does: samples by name and labels, sorted. */
const READER = `
import json, sys
from prometheus_client.parser import text_string_to_metric_families as plain
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
def read(case):
    families = list((openmetrics if case["openmetrics"] else plain)(case["text"]))
    names = [f.name for f in families]
    if len(names) != len(set(names)): raise ValueError("A family is there twice: " + str(sorted(names)))
    return {
        "families": [[f.name, f.type, f.documentation] for f in families],
        "samples": [[s.name, s.labels, repr(float(s.value))] for f in families for s in f.samples],
    }
print(json.dumps([read(case) for case in json.load(sys.stdin)]))
`;

interface Read {
  readonly families: readonly (readonly [name: string, type: string, help: string])[];
  readonly samples:
    readonly (readonly [name: string, labels: Record<string, string>, value: string])[];
}

async function readByPython(texts: readonly { text: string; openmetrics: boolean }[]) {
  const python = join(await pythonPrograms("prometheus", "prometheus_client==0.26.0"), "python");
  const input = JSON.stringify(texts);
  const { code, text } = await runProgram(python, ["-c", READER], { input });
  assertEquals(code, 0, text);
  return JSON.parse(text) as readonly Read[];
}

const name = fc.stringMatching(/^[a-z][a-z._\-/]{0,6}[a-z]$/);
const label = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.stringMatching(/^["\\n\n,{}= #]{0,6}$/),
  fc.string({ unit: "grapheme", maxLength: 6 }),
);
const amount = fc.oneof(fc.double({ min: 0, max: 1e12, noNaN: true }), fc.nat(20_000));
const record = fc.record({
  kind: fc.constantFrom("counter", "gauge", "timer", "summary" as const),
  name,
  unit: fc.option(fc.constantFrom("bytes", "rows/s", "a"), { nil: undefined }),
  description: fc.option(label, { nil: undefined }),
  values: fc.array(fc.tuple(label, amount), { minLength: 1, maxLength: 5 }),
  bounds: fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { maxLength: 4 }),
  percentiles: fc.boolean(),
});
type Recorded = typeof record extends fc.Arbitrary<infer T> ? T : never;

/** A registry of the records that it accepts; it refuses clashing names. */
function registryOf(records: readonly Recorded[]): MeterRegistry {
  const meters = new MeterRegistry();
  for (const { kind, name, unit: baseUnit, description, values, bounds, percentiles } of records) {
    const options = {
      baseUnit,
      description,
      serviceLevelObjectives: bounds,
      publishPercentileHistogram: percentiles,
    };
    try {
      for (const [tag, value] of values) {
        if (kind === "counter") meters.counter(name, { "a.b": tag }, options).increment(value);
        else if (kind === "gauge") meters.gauge(name, () => value, { "a.b": tag }, options);
        else if (kind === "timer") meters.timer(name, { "a.b": tag }, options).record(value);
        else meters.summary(name, { "a.b": tag }, options).record(value);
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return meters;
}

/** Spaces at the ends of a HELP text have no meaning. */
const bare = (text: string) => text.replace(/[\s\p{C}]/gu, "");
/** Python keeps lone surrogates out of its texts, as UTF-8 does. */
const sent = (text: string) => text.toWellFormed();

Deno.test("prometheusText() is read by Python's client library as what was measured", async () => {
  const registries = fc.sample(fc.array(record, { maxLength: 6 }), { numRuns: 300, seed: 17 })
    .map(registryOf);
  for (const format of [TEXT, OPENMETRICS]) {
    const openmetrics = format === OPENMETRICS;
    const read = await readByPython(registries.map((meters) => ({
      text: sent(prometheusText(meters.meters(), format)),
      openmetrics,
    })));
    for (const [index, registry] of registries.entries()) {
      const { samples, families } = read[index]!;
      const value = (name: string, labels: Record<string, string>) => {
        const found = samples.filter(([other, of]) => {
          return other === name && JSON.stringify(of) === JSON.stringify(labels);
        });
        assertEquals(found.length, 1, `${name} ${JSON.stringify(labels)}`);
        return Number(found[0]![2]);
      };
      for (const meter of registry.meters()) {
        const { prometheus, type, bounds } = meter;
        const kind = type === "counter" || type === "gauge"
          ? type
          : bounds.length > 0
          ? "histogram"
          : "summary";
        assert(
          families.some(([name, of, help]) => {
            return name === prometheus && of === kind &&
              bare(help) === bare(sent(meter.description ?? ""));
          }),
          `${prometheus}: ${JSON.stringify(families)}`,
        );
        for (const { tags, statistics, buckets } of meter.measure()) {
          const labels = { a_b: sent(tags.get("a.b")!) };
          const { COUNT, VALUE, TOTAL_TIME, TOTAL, MAX } = statistics;
          if (type === "counter") assertEquals(value(`${prometheus}_total`, labels), COUNT);
          else if (type === "gauge") assertEquals(value(prometheus, labels), VALUE);
          else {
            assertEquals(value(`${prometheus}_count`, labels), COUNT);
            assertEquals(value(`${prometheus}_sum`, labels), TOTAL_TIME ?? TOTAL);
            assertEquals(value(`${prometheus}_max`, labels), MAX);
          }
          if (buckets) {
            assertEquals(value(`${prometheus}_bucket`, { ...labels, le: "+Inf" }), COUNT);
          }
        }
      }
    }
  }
});

Deno.test("buckets count what is no larger than their bounds", () => {
  const bound = fc.integer({ min: 1, max: 50 });
  fc.assert(fc.property(
    fc.uniqueArray(bound, { minLength: 1, maxLength: 8 }),
    fc.array(fc.integer({ min: 0, max: 60 })),
    (bounds, values) => {
      const meters = new MeterRegistry();
      const summary = meters.summary("a", {}, { serviceLevelObjectives: bounds });
      for (const value of values) summary.record(value);
      const lines = prometheusText(meters.meters()).split("\n");
      for (const bound of bounds) {
        const expected = values.filter((value) => value <= bound).length;
        assert(lines.includes(`a_bucket{le="${bound}"} ${expected}`), lines.join("\n"));
      }
      assert(lines.includes(`a_bucket{le="+Inf"} ${values.length}`));
    },
  ));
});
