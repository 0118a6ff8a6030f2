import type { LogRecord, Sink } from "@logtape/logtape";
import type { Config } from "../../config/mod.ts";
import type { Extension } from "../../app/mod.ts";
import { notInstalled, type Runtime } from "../../runtime/mod.ts";
import { currentFields } from "../../web/mod.ts";
import { ACCESS_PROPERTIES, accessLog } from "./access_log.ts";
import { formatOf, formatterOf, withoutCollisions } from "./format.ts";
import { createLevels, levelNamed, type Levels, levelsOf } from "./levels.ts";
import { logger, openLoggers } from "./logger.ts";
import type { LogLevels } from "./types.ts";

/** Logging as an extension, and the levels for `actuator({ loggers })`. */
export type Logging = Extension & LogLevels;

/**
 * Sets up logging from the configuration: `logging.level` by name, `logging.format`. Writes a line for each request
 * (`http.access`) and what fails
 * (`http.failure`). Logging belongs to the process: the last application that is built
 * decides.
 *
 * @throws {ConfigError} at startup, when `logging` of the configuration is wrong
 * @throws {PackageNotFoundError} at startup, when LogTape is not installed
 */
export function logging(): Logging {
  const levels = createLevels();
  const extension: Extension = async ({ config, runtime }) => {
    levels.start(levelsOf(config));
    await configure(levels, config, runtime);
    const failures = logger("http.failure");
    const application = logger("application");
    return {
      info: (message) => application.info(message),
      observe: accessLog(levels),
      log: (message, error, level) => {
        if (level === "DEBUG") failures.debug(message, { error });
        else failures.error(message, { error });
      },
    };
  };
  return Object.assign(extension, levels);
}

async function configure(
  levels: Levels,
  config: Config,
  runtime: Runtime | undefined,
): Promise<void> {
  const isTerminal = runtime?.stdout.isTerminal ?? false;
  const colors = isTerminal && !runtime?.env.get("NO_COLOR");
  const wanted = formatOf(config, isTerminal);
  const logtape = await import("@logtape/logtape").catch(notInstalled("@logtape/logtape"));
  const { redactByField } = await import("@logtape/redaction").catch(
    notInstalled("@logtape/redaction"),
  );
  const format = formatterOf(logtape, wanted, colors);
  const sink: Sink = (record) => {
    const line = format(record);
    if (runtime) runtime.stdout.write(line);
    else console.log(line.trimEnd());
  };
  const redacted = redactByField(sink);
  // Here and not in `logger()`: what libraries log is a line of the request, too.
  const inContext: Sink = (record) => {
    const fields = currentFields();
    try {
      const all = fields ? { ...fields, ...record.properties } : record.properties;
      const properties = withoutCollisions(all, wanted, fields?.requestId);
      const write = mayHoldSecrets(properties) ? redacted : sink;
      write(properties === record.properties ? record : { ...record, properties });
    } catch {
      // A getter may throw: the line is written without them.
      redacted({ ...record, properties: { requestId: fields?.requestId, properties: UNREADABLE } });
    }
  };
  logtape.configureSync({
    reset: true,
    sinks: { out: inContext },
    filters: {
      levels: ({ category, level }: LogRecord) =>
        levels.isEnabled(category.join("."), levelNamed(level === "warning" ? "WARN" : level)!),
    },
    loggers: [
      { category: [], sinks: ["out"], filters: ["levels"], lowestLevel: "trace" },
      { category: ["logtape", "meta"], sinks: ["out"], lowestLevel: "warning" },
    ],
  });
  openLoggers(logtape.getLogger);
}

const UNREADABLE = "cannot be read";

/** Redaction takes as long as all the rest of a line, and would change none of the access log. */
function mayHoldSecrets(properties: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(properties).some(([name, value]) => {
    return !ACCESS_PROPERTIES.has(name) || Object(value) === value;
  });
}
