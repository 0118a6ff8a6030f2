import { assertEquals } from "@std/assert";
import { Component, Service } from "../../../mod.ts";
import { testApplication } from "../../../src/features/testing/mod.ts";

@Service()
class Weather {
  readonly #network = "secret";
  private readonly cache = new Map<string, number>();
  readonly unit: string = "C";
  temperature(city: string): Promise<number> {
    return Promise.resolve(this.cache.get(city) ?? this.#network.length);
  }
  wind(): number {
    return 0;
  }
}

abstract class Clock {
  abstract now(): number;
}

@Component()
class SystemClock extends Clock {
  now(): number {
    return 1;
  }
}

const components = [Weather, SystemClock];

Deno.test("testApplication({ overrides }) + takes parts, instances, names, base classes and maps", async () => {
  await using app = await testApplication({
    components,
    overrides: [
      [Weather, { temperature: (city) => Promise.resolve(city.length) }],
      [Clock, { now: () => 7 }],
      ["config", { anything: true }],
    ],
  });
  assertEquals(await app.context.get(Weather).temperature("Kyoto"), 5);
  assertEquals(app.context.get(SystemClock).now(), 7);
  for (
    const one of [
      await testApplication({ components, overrides: [[Weather, new Weather()]] }),
      await testApplication({ components, overrides: new Map([[Weather, { wind: "none" }]]) }),
      await testApplication({ components, overrides: [] }),
      await testApplication(),
    ]
  ) await one.close();
});

/** Never called: the test is that the marked lines do not compile. */
export async function refused(): Promise<void> {
  await testApplication({
    components,
    overrides: [
      // @ts-expect-error: it gives a promise of a number
      [Weather, { temperature: () => 21 }],
    ],
  });
  await testApplication({
    components,
    overrides: [
      [Clock, { now: () => 7 }],
      // @ts-expect-error: there is no such member
      [Weather, { temprature: () => Promise.resolve(21) }],
    ],
  });
  await testApplication({
    components,
    overrides: [
      // @ts-expect-error: a clock is no weather
      [Weather, new SystemClock()],
    ],
  });
  await testApplication({
    components,
    overrides: [
      // @ts-expect-error: nor is nothing
      [Weather, undefined],
    ],
  });
}
