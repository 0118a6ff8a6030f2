import {
  broughtBy,
  decorator,
  inject,
  isInjecting,
  type MethodContext,
} from "../../container/mod.ts";
import { refuseUnknownOptions } from "../../text/mod.ts";
import { LocalTime } from "./local_time.ts";
import { ScheduleError } from "./schedule.ts";

/** Options of {@linkcode Scheduled}: one of `cron`, `every` and `fixedDelay`, and what goes with it. */
export type ScheduledOptions =
  & {
    /**
     * Names the task in the database, in metrics and in messages.
     *
     * @default the class and the method, such as `Cleaner.clean`
     */
    readonly name?: string;
    /** Seconds after which the signal of a tick is aborted. @default none */
    readonly timeout?: number;
  }
  & (
    | {
      /**
       * Local times: minute, hour, day of month, month and day of week, with seconds before them where there are six
       * parts and years after them where there are seven, or a name such as `@daily`.
       */
      readonly cron: string;
      /** The zone of the local times, such as `Europe/Berlin`. @default "UTC" */
      readonly timeZone?: string;
      /** Whether one tick makes up for instants at which no replica was alive. @default "skip" */
      readonly catchUp?: "skip" | "once";
      readonly every?: never;
      readonly fixedDelay?: never;
    }
    | {
      /** Seconds between ticks, counted from 1970: of 3600 there is one at each full hour. */
      readonly every: number;
      /** Whether one tick makes up for instants at which no replica was alive. @default "skip" */
      readonly catchUp?: "skip" | "once";
      readonly cron?: never;
      readonly fixedDelay?: never;
    }
    | {
      /** Seconds from the end of a tick to the next. */
      readonly fixedDelay: number;
      readonly cron?: never;
      readonly every?: never;
    }
  );

/** All options at once, checked. */
export type TaskOptions = Readonly<
  Partial<
    & Record<"cron" | "timeZone" | "name" | "catchUp", string>
    & Record<"every" | "fixedDelay" | "timeout", number>
  >
>;

export interface ScheduledMethod {
  readonly bean: object;
  readonly method: string | symbol;
  readonly options: TaskOptions;
}

export function methodName({ bean, method }: ScheduledMethod): string {
  return `${bean.constructor.name}.${String(method)}`;
}

/** The methods of beans with `@Scheduled`, and the health of what calls them. */
export class ScheduledMethods {
  readonly #all: ScheduledMethod[] = [];
  #isFailing: (() => boolean) | undefined;

  /** @throws {ScheduleError} after the start of the application */
  add(scheduled: ScheduledMethod): void {
    if (this.#isFailing) {
      const expected = "expected a bean that is built at startup";
      throw refusal(methodName(scheduled), expected, "one that was built later");
    }
    this.#all.push(scheduled);
  }

  /** @param isFailing whether ticks cannot be claimed */
  close(isFailing: () => boolean): readonly ScheduledMethod[] {
    this.#isFailing = isFailing;
    return this.#all;
  }

  health(): { readonly status: "UP" | "DOWN"; readonly details: { readonly tasks: number } } {
    return { status: this.#isFailing?.() ? "DOWN" : "UP", details: { tasks: this.#all.length } };
  }
}
broughtBy(ScheduledMethods, "scheduling() of '@irori/irori/scheduling'");

/**
 * Decorates a method that takes nothing, or an `AbortSignal`.
 *
 * @internal
 */
type ScheduledDecorator = <This, V extends (this: This, signal: AbortSignal) => unknown>(
  method: V,
  context: MethodContext<This, V>,
) => void;

/**
 * Calls a method of a bean at each tick of a schedule. With {@linkcode scheduling} and a database, each tick is started
 * by one replica at most.
 *
 * ```ts ignore
 * @Scheduled({ cron: "30 3 * * *", timeZone: "Europe/Berlin" })
 * async clean(signal: AbortSignal): Promise<void> { … }
 * ```
 *
 * The signal is aborted after `timeout`, when the application is closed, and when another replica has recorded the tick as abandoned.
 *
 * @throws {ScheduleError} for options that are not allowed, and methods that cannot be called so
 */
export function Scheduled(options: ScheduledOptions): ScheduledDecorator {
  const apply = (context: MethodContext, method: (...given: never[]) => unknown) => {
    const { name } = context;
    checkTask(String(name), options);
    if (context.static || context.private) {
      throw refusal(String(name), "expected a public method of a bean", "a static or private one");
    }
    if (method.length > 1) {
      const found = `${method.length} parameters`;
      throw refusal(String(name), "expected a method that takes an AbortSignal at most", found);
    }
    context.addInitializer(function () {
      if (!isInjecting()) return;
      inject(ScheduledMethods).add({ bean: this as object, method: name, options });
    });
  };
  return decorator("Scheduled", arguments, apply, "{ every: 60 }") as ScheduledDecorator;
}

export function refusal(method: string, expected: string, found: unknown): ScheduleError {
  return new ScheduleError(`Cannot schedule '${method}': ${expected}, found ${found}`);
}

function checkTask(method: string, options: TaskOptions): void {
  const { cron, every, fixedDelay } = options ?? {};
  const known = RULES.map(([name]) => name);
  const unknown = (reason: string) => new ScheduleError(`Cannot schedule '${method}': ${reason}`);
  refuseUnknownOptions(options ?? {}, known, unknown);
  const kinds = Object.entries({ cron, every, fixedDelay }).filter(([, value]) => value != null);
  if (kinds.length !== 1) {
    const found = kinds.map(([kind]) => `'${kind}'`).join(" and ") || "none";
    throw refusal(method, "expected one of 'cron', 'every' and 'fixedDelay'", found);
  }
  for (const [name, expected, isValid] of RULES) {
    const found = options[name];
    if (found === undefined || isValid(found)) continue;
    throw refusal(method, `expected ${expected} as '${name}'`, `'${found}'`);
  }
  const misplaced = fixedDelay ? options.catchUp && "catchUp" : undefined;
  const alone = cron ? misplaced : misplaced ?? (options.timeZone && "timeZone");
  if (alone) throw refusal(method, `expected no '${alone}' with '${kinds[0]![0]}'`, "it");
}

type Rule = [keyof TaskOptions, expected: string, isValid: (found: unknown) => boolean];

/** 24 days, as timers take them. */
const MOST_SECONDS = Math.floor(2 ** 31 / 1000);
const seconds = (found: unknown) =>
  typeof found === "number" && found >= 0.001 && found <= MOST_SECONDS;
const SECONDS = `0.001 to ${MOST_SECONDS} seconds`;
const RULES: readonly Rule[] = [
  ["cron", "a cron expression", (found) => typeof found === "string" && found.trim() !== ""],
  ["every", SECONDS, seconds],
  ["fixedDelay", SECONDS, seconds],
  ["timeout", SECONDS, seconds],
  ["catchUp", '"skip" or "once"', (found) => found === "skip" || found === "once"],
  ["timeZone", "a time zone such as 'Europe/Berlin'", isTimeZone],
  [
    "name",
    "up to 200 letters, digits and '_.:-'",
    (found) => typeof found === "string" && /^[\w.:-]{1,200}$/.test(found),
  ],
];

function isTimeZone(found: unknown): boolean {
  try {
    return new LocalTime(`${found}`).timeZone !== "";
  } catch {
    return false;
  }
}
