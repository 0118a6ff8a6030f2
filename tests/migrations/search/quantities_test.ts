import { assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { KINDS } from "../../../src/migrations/search/kinds/resource.ts";
import { isSame } from "../../../src/migrations/search/json/compare.ts";
import { withQuantities } from "../../../src/migrations/search/kinds/quantities.ts";

const stateOf = (name: string, value: unknown) => withQuantities({ [name]: value })[name];

Deno.test("withQuantities has times and sizes in one form, and nothing else", () => {
  const table: [name: string, one: unknown, other: unknown, isSame: boolean][] = [
    ["index.refresh_interval", "60s", "1m", true],
    ["index.refresh_interval", "60000ms", "1 m", true],
    ["index.refresh_interval", "90s", "1m", false],
    ["index.refresh_interval", "24h", "1d", true],
    ["index.refresh_interval", "60S", "1m", true],
    ["index.refresh_interval", "1000micros", "1ms", true],
    ["index.refresh_interval", "1000nanos", "1micros", true],
    ["index.refresh_interval", "0s", "0ms", true],
    ["index.refresh_interval", "-1", "-1s", false],
    ["index.refresh_interval", 60, "60s", false],
    ["index.refresh_interval", "60", "60s", false],
    ["index.refresh_interval", null, "0s", false],
    ["index.refresh_interval", "1.0m", "60s", false],
    ["index.translog.flush_threshold_size", "1024mb", "1gb", true],
    ["index.translog.flush_threshold_size", "1024k", "1m", true],
    ["index.translog.flush_threshold_size", "1.5gb", "1536mb", true],
    ["index.translog.flush_threshold_size", "1.1GB", "1181116006b", true],
    ["index.translog.flush_threshold_size", "1.5gb", "1.6gb", false],
    ["index.refresh_interval", "1.5h", "90m", false],
    ["indices.recovery.max_bytes_per_sec", "1M", "1mb", true],
    ["indices.recovery.max_bytes_per_sec", "40mb", "40MB", true],
    ["indices.recovery.max_bytes_per_sec", "1mb", "1gb", false],
    ["indices.recovery.max_bytes_per_sec", "1m", "60s", false],
    ["cluster.routing.allocation.disk.watermark.low", "1024mb", "1gb", true],
    ["cluster.routing.allocation.disk.watermark.low", "85%", "85.0%", false],
    // Too large for an exact number.
    ["index.size", "9007199254740993b", "9007199254740992b", false],
    // Texts.
    ["index.routing.allocation.require.box", "60s", "1m", false],
    ["cluster.routing.allocation.awareness.force.zone.values", "60s", "1m", false],
    ["index.analysis.filter.f.pattern", "60s", "1m", false],
    ["index.default_pipeline", "60s", "1m", false],
    ["index.plugins.index_state_management.rollover_alias", "60s", "1m", false],
    ["index.plugins.index_state_management.policy_id", "60s", "1m", false],
    ["bucket", "1024kb", "1mb", false],
  ];
  for (const [name, one, other, isSame] of table) {
    const assertion = isSame ? assertEquals : assertNotEquals;
    assertion(stateOf(name, one), stateOf(name, other), `${name}: ${one}, ${other}`);
  }
});

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 };

Deno.test("withQuantities makes two times the same when they are, and only then", () => {
  const time = fc.tuple(fc.nat(10_000), fc.constantFrom(...Object.keys(SECONDS)));
  fc.assert(fc.property(time, time, ([one, unit], [other, otherUnit]) => {
    const seconds = (number: number, unit: string) => number * SECONDS[unit as "s"];
    assertEquals(
      stateOf("x.timeout", `${one}${unit}`) === stateOf("x.timeout", `${other}${otherUnit}`),
      seconds(one, unit) === seconds(other, otherUnit),
    );
    const form = stateOf("x.timeout", `${one}${unit}`);
    assertEquals(stateOf("x.timeout", form), form);
  }));
  // A text that is no time stays as it is.
  fc.assert(
    fc.property(fc.string().filter((text) => !/^\s*\d+ *[a-z]+\s*$/i.test(text)), (text) => {
      assertEquals(stateOf("x.timeout", text), text);
    }),
  );
});

Deno.test("kinds compare units of settings, and no mappings, scripts or aliases by them", () => {
  const same = (noun: string, one: unknown, other: unknown) => {
    const kind = KINDS.find((kind) => kind.noun === noun)!;
    return isSame(kind.wanted(one), kind.wanted(other));
  };
  const template = (settings: string, mapping: string, filter: string) => ({
    index_patterns: ["a*"],
    template: {
      settings: { index: { refresh_interval: settings } },
      mappings: { _meta: { refresh_interval: mapping } },
      aliases: { a: { filter: { term: { timeout: filter } } } },
    },
  });
  const base = template("1m", "1m", "1m");
  assertEquals(same("index_template", base, template("60s", "1m", "1m")), true);
  assertEquals(same("index_template", base, template("61s", "1m", "1m")), false);
  assertEquals(same("index_template", base, template("1m", "60s", "1m")), false);
  assertEquals(same("index_template", base, template("1m", "1m", "60s")), false);
  const settings = (timeout: string) => ({
    persistent: { search: { default_search_timeout: timeout } },
  });
  assertEquals(same("cluster settings", settings("60s"), settings("1m")), true);
  assertEquals(same("cluster settings", settings("60s"), settings("2m")), false);
  const repository = (rate: string) => ({
    type: "fs",
    settings: { location: "a", max_restore_bytes_per_sec: rate },
  });
  assertEquals(same("snapshot repository", repository("1024kb"), repository("1mb")), true);
  const script = (source: string) => ({ script: { lang: "painless", source } });
  assertEquals(same("script", script("60s"), script("1m")), false);
  const pipeline = (value: string) => ({ processors: [{ set: { field: "timeout", value } }] });
  assertEquals(same("pipeline", pipeline("60s"), pipeline("1m")), false);
});
