import {
  BOOLEAN,
  type Field,
  type Fields,
  INTEGER,
  object,
  pointer,
  required,
  TEXT,
  TEXT_MAP,
} from "./shapes.ts";

const SCHEDULE: Field = object({
  cron: required(object({ expression: required(TEXT), timezone: required(TEXT) })),
});

/** A policy of snapshot management; its name is in the path of the request alone. */
export const SNAPSHOT_POLICY: Fields = {
  description: pointer(TEXT),
  enabled: pointer(BOOLEAN),
  snapshotConfig: required(object({
    dateFormat: TEXT,
    dateFormatTimezone: TEXT,
    indices: TEXT,
    repository: required(TEXT),
    ignoreUnavailable: pointer(BOOLEAN),
    includeGlobalState: pointer(BOOLEAN),
    partial: pointer(BOOLEAN),
    metadata: TEXT_MAP,
  })),
  creation: required(object({ schedule: required(SCHEDULE), timeLimit: pointer(TEXT) })),
  deletion: object({
    schedule: SCHEDULE,
    timeLimit: pointer(TEXT),
    deleteCondition: {
      ...object({
        maxCount: pointer(INTEGER),
        maxAge: pointer(TEXT),
        minCount: pointer(INTEGER),
      }),
      to: "condition",
    },
  }),
  notification: object({
    channel: required(object({ id: required(TEXT) })),
    conditions: object({
      creation: pointer(BOOLEAN),
      deletion: pointer(BOOLEAN),
      failure: pointer(BOOLEAN),
    }),
  }),
};
