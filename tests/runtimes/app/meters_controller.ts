import { Autowired, GetMapping, RequestMapping, RequestParam, RestController } from "@irori/irori";
import { type Counter, MeterRegistry, type Timer } from "@irori/irori/actuator";

/** Measures with meters of its own. */
@RestController()
@RequestMapping("/meters")
export class MetersController {
  @Autowired(MeterRegistry)
  private readonly meters!: MeterRegistry;
  private readonly work: Timer = this.meters.timer("meters.work", {}, {
    serviceLevelObjectives: [100, 60_000],
  });

  constructor() {
    this.meters.gauge("meters.level", () => 7);
  }

  @GetMapping("/count", RequestParam("channel"))
  count(channel: string): { count: number } {
    const counter: Counter = this.meters.counter("meters.count", { channel });
    counter.increment(2);
    return { count: counter.count() };
  }

  @GetMapping("/work")
  async timed(): Promise<{ count: number; buckets: readonly number[] | undefined }> {
    this.work.record(101);
    await this.work.record(() => Promise.resolve());
    const meter = this.meters.meters().find(({ name }) => name === "meters.work");
    return { count: this.work.count(), buckets: meter?.measure()[0]?.buckets };
  }
}
