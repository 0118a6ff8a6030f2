import type { MeterRegistry } from "../actuator/mod.ts";
import { type Configurable, configured, type Extension } from "../../app/mod.ts";
import type { Config } from "../../config/mod.ts";
import { decorate, inject, OnReady, PostConstruct, PreDestroy } from "../../container/mod.ts";
import { refuseUnknownOptions } from "../../text/mod.ts";
import { TransactionManager } from "../transactions/mod.ts";
import { JobMeters } from "./_meters.ts";
import { JobRuntime } from "./jobs.ts";
import { JobError, type JobsOptions } from "./types.ts";

/**
 * Runs methods with {@linkcode Job}, by `pg-boss` on the PostgreSQL of the application, which installs it: brings the bean
 * {@linkcode Jobs}, meters where there is `actuator()`, and the health component `jobs`. Jobs run while the application
 * listens.
 *
 * ```ts ignore
 * const app = await bootstrap({ root: import.meta.dirname, extensions: [jobs(), actuator()] });
 * ```
 *
 * @param given options, or a function that makes them of the configuration
 * @throws {JobError} at startup, for another database, and for a schema that is missing or old
 * @throws {PackageNotFoundError} at startup, if `pg-boss` is not installed
 */
export function jobs(given: Configurable<JobsOptions> = {}): Extension {
  const beans = async (config: Config) => {
    const options = await configured(given, config);
    checkJobs(options);
    const runtime = new JobRuntime();
    const health = async () => ({ status: "UP", details: await runtime.engine.check() });
    return {
      instances: { jobs: runtime, jobsHealthIndicator: { health } },
      classes: [workerOf(runtime, options, config)],
    };
  };
  return Object.assign(() => undefined, { beans });
}

/** A bean that is built after those whose methods it runs, and closed before them. */
function workerOf(runtime: JobRuntime, options: JobsOptions, config: Config): new () => object {
  class JobWorker {
    readonly #manager = managerOf(options);
    readonly #meters = new JobMeters(inject.optional<MeterRegistry>("meterRegistry"));

    async open(): Promise<void> {
      // Each is loaded where it is used.
      const Engine = options.memory
        ? (await import("./_memory_engine.ts")).MemoryEngine
        : (await import("./_postgres_engine.ts")).PostgresEngine;
      const engine = new Engine(this.#manager!, runtime.handlers, this.#meters, options);
      await runtime.open(engine);
      this.#meters.open(runtime.handlers, engine);
    }

    start(): Promise<void> {
      return runtime.start();
    }

    stop(): Promise<void> {
      return runtime.stop(config.number("server.shutdown-timeout", 30));
    }
  }
  return decorate({ JobWorker }, {
    open: [PostConstruct()],
    start: [OnReady()],
    stop: [PreDestroy()],
  });
}

function managerOf({ manager, memory }: JobsOptions): TransactionManager | undefined {
  if (typeof manager === "object") return manager;
  if (manager !== undefined) return inject(manager);
  const found = inject.optional(TransactionManager);
  if (found || memory) return found;
  throw new JobError(
    "Cannot run jobs: expected a bean of the type TransactionManager, such as PgTransactions; for tests and " +
      "development without a database write jobs({ memory: true })",
  );
}

const OPTIONS = ["manager", "memory", "pollingInterval", "lease", "engine"];

function checkJobs(options: JobsOptions): void {
  const refuse = (reason: string) => new JobError(`Cannot use jobs(): ${reason}`);
  refuseUnknownOptions(options, OPTIONS, refuse);
  const { pollingInterval = 2, lease = 30 } = options;
  if (!(pollingInterval >= 0.5 && pollingInterval <= 3600)) {
    throw refuse(`expected 0.5 to 3600 seconds as 'pollingInterval', found '${pollingInterval}'`);
  }
  if (!Number.isInteger(lease) || lease < 10 || lease > 3600) {
    throw refuse(`expected a whole number of 10 to 3600 seconds as 'lease', found '${lease}'`);
  }
}
