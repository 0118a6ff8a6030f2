import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { depth } from "../../long/mod.ts";
import { LocalTime } from "../../../src/features/scheduling/local_time.ts";
import { cron, every, ScheduleError } from "../../../src/features/scheduling/schedule.ts";

/** With clocks that are set by an hour, by half an hour, over midnight, by a whole day, and never. */
const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Africa/Casablanca",
  "Pacific/Apia",
  "Asia/Kathmandu",
  "UTC",
];
const MINUTE = 60_000;
const iso = (instant: number | undefined) => instant && new Date(instant).toISOString();
const at = (text: string) => Date.parse(text);

async function listed(expression: string, zone: string, from: string, count: number) {
  const { next } = await cron(expression, zone, "A.b");
  const found: number[] = [];
  for (let time = at(from); found.length < count;) found.push(time = next(time)!);
  return found.map(iso);
}

Deno.test("cron() + runs a local time that does not exist at the next instant, once", async () => {
  assertEquals(await listed("30 2 * * *", "Europe/Berlin", "2027-03-27T00:00:00Z", 3), [
    "2027-03-27T01:30:00.000Z",
    "2027-03-28T01:00:00.000Z", // 03:00
    "2027-03-29T00:30:00.000Z",
  ]);
  assertEquals(await listed("*/30 * * * *", "Europe/Berlin", "2027-03-28T00:00:00Z", 4), [
    "2027-03-28T00:30:00.000Z", // 01:30
    "2027-03-28T01:00:00.000Z", // 03:00, also for 02:00 and 02:30
    "2027-03-28T01:30:00.000Z",
    "2027-03-28T02:00:00.000Z",
  ]);
});

Deno.test("cron() + runs a local time that exists twice once, the first time", async () => {
  assertEquals(await listed("30 2 * * *", "Europe/Berlin", "2027-10-30T12:00:00Z", 2), [
    "2027-10-31T00:30:00.000Z",
    "2027-11-01T01:30:00.000Z",
  ]);
  assertEquals(await listed("0,30 1-3 * * *", "Europe/Berlin", "2027-10-30T22:45:00Z", 6), [
    "2027-10-30T23:00:00.000Z", // 01:00
    "2027-10-30T23:30:00.000Z",
    "2027-10-31T00:00:00.000Z", // 02:00
    "2027-10-31T00:30:00.000Z",
    "2027-10-31T02:00:00.000Z", // 03:00
    "2027-10-31T02:30:00.000Z",
  ]);
  const { next } = await cron("* * * * * *", "Europe/Berlin", "A.b");
  assertEquals(iso(next(at("2027-10-31T01:10:00.500Z"))), "2027-10-31T02:00:00.000Z");
});

/** Each local minute of a span, and the first instant at which clocks show it or a later one. */
function firstInstants(zone: string, from: number, to: number): Map<number, number> {
  const time = new LocalTime(zone);
  const found = new Map<number, number>();
  let shown = time.at(from) - MINUTE;
  for (let instant = from; instant <= to; instant += MINUTE) {
    for (; shown < time.at(instant); shown += MINUTE) found.set(shown + MINUTE, instant);
  }
  return found;
}

const minutes = fc.oneof(fc.constant("*"), fc.constant("*/15"), fc.nat(59).map(String));
const hours = fc.oneof(fc.constant("*"), fc.constant("1-3"), fc.nat(23).map(String));

Deno.test("cron() + has the first instant of each local time, in every zone", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ZONES),
      fc.integer({ min: at("2010-01-01T00:00:00Z"), max: at("2030-01-01T00:00:00Z") }),
      minutes,
      hours,
      async (zone, start, minute, hour) => {
        const changes = changesAfter(zone, start);
        const from = Math.floor((changes - 30 * 60 * MINUTE) / MINUTE) * MINUTE;
        const to = from + 3 * 24 * 60 * MINUTE;
        const expression = `${minute} ${hour} * * *`;
        const { next, previous } = await cron(expression, zone, "A.b");
        const utc = await cron(expression, "UTC", "A.b");
        const instants = firstInstants(zone, from, to);
        const [[first], [last]] = [[...instants.keys()], [...instants.keys()].slice(-1)];
        const expected: number[] = [];
        for (let local = utc.next(first! - 1)!; local <= last!; local = utc.next(local)!) {
          expected.push(instants.get(local)!);
        }
        const wanted = [...new Set(expected)].filter((instant) => instant > from);
        const found: number[] = [];
        for (let time = next(from)!; time <= to; time = next(time)!) found.push(time);
        assertEquals(found.map(iso), wanted.map(iso), `${expression} ${zone}`);
        for (const instant of found.slice(0, 5)) {
          assertEquals(previous(instant), instant);
          assertEquals(previous(instant + 1), instant);
        }
      },
    ),
    { numRuns: depth(20, 300) },
  );
});

/** When clocks are set next, in steps of an hour. */
function changesAfter(zone: string, start: number): number {
  const time = new LocalTime(zone);
  const first = Math.floor(start / 3_600_000) * 3_600_000;
  const offset = time.at(first) - first;
  for (let hour = 0; hour < 24 * 366; hour += 6) {
    const instant = first + hour * 3_600_000;
    if (time.at(instant) - instant !== offset) return instant;
  }
  return first;
}

Deno.test("every() + has the multiples of the interval, whenever it is asked", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 1e9 }), fc.nat(2e12), (interval, time) => {
    const { next, previous } = every(interval);
    assert(previous(time)! <= time && time < next(time)!);
    assertEquals(next(time)! - previous(time)!, interval);
    assertEquals(previous(next(time)!), next(time));
  }));
});

for (
  const [expression, reason] of [
    ["61 * * * *", "such as '30 3 * * *', found '61 * * * *': CronPattern: Invalid value"],
    ["* * *", "such as '30 3 * * *', found '* * *': CronPattern: invalid"],
    ["0 0 30 2 *", "with a time to come, found '0 0 30 2 *'"],
  ] as const
) {
  Deno.test(`cron() + refuses '${expression}'`, async () => {
    const start = "Cannot schedule 'Cleaner.clean': expected a cron expression ";
    const refused = () => cron(expression, "UTC", "Cleaner.clean");
    await assertRejects(refused, ScheduleError, `${start}${reason}`);
  });
}
