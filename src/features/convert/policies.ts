import { isEmpty, isObject, listOf } from "../../migrations/search/json/json_values.ts";
import { BESIDE_ACTIONS } from "../../migrations/search/kinds/policy_actions.ts";
import { each } from "../../text/typescript.ts";
import {
  ANY,
  BOOLEAN,
  type Field,
  type FieldPlace,
  type Fields,
  INTEGER,
  list,
  object,
  pointer,
  required,
  TEXT,
  TEXTS,
  VALUE,
} from "./fields.ts";

const ALIAS: Fields = {
  index: {
    ...pointer(TEXT),
    check: (_, place) =>
      place.warn("An alias action works on the index that is managed: clusters refuse 'index'"),
  },
  aliases: TEXTS,
  routing: pointer(TEXT),
  isWriteIndex: pointer(BOOLEAN),
};

const ACTION: Fields = {
  alias: object({
    actions: required(list({ add: object(ALIAS), remove: object(ALIAS) })),
  }),
  allocation: object({
    ...each("exclude include require", {
      ...VALUE,
      check(value, place) {
        if (isObject(value)) return;
        place.refuse(
          "The cluster expects attributes here, and rejects the text that the operator sends: expected " +
            "a map such as { temp: warm }, or nothing",
        );
      },
    }),
    waitFor: {
      ...VALUE,
      then(value, place) {
        const wait = [true, false].find((one) => value === one || value === `${one}`);
        if (wait === undefined) place.refuse("Expected true or false");
        return wait;
      },
    },
  }),
  close: object({}),
  delete: object({}),
  forceMerge: object({ maxNumSegments: required(INTEGER) }),
  indexPriority: object({ priority: required(INTEGER) }),
  notification: unsent(
    "The operator never sends this action, and the cluster ignores its text 'destination': expected no " +
      "'notification' here; add it to the file, with a 'channel'",
  ),
  open: object({}),
  readOnly: object({}),
  readWrite: object({}),
  replicaCount: object({ numberOfReplicas: required(INTEGER) }),
  retry: object({ backoff: TEXT, count: required(INTEGER), delay: TEXT }),
  rollover: object({
    minDocCount: pointer(INTEGER),
    ...each("minIndexAge minPrimaryShardSize minSize", pointer(TEXT)),
  }),
  rollup: unsent(
    "The resource cannot define a rollup, and the operator never sends it: expected no 'rollup' here; add it " +
      "to the file",
  ),
  shrink: {
    ...object({
      forceUnsafe: pointer(BOOLEAN),
      maxShardSize: pointer(TEXT),
      ...each("numNewShards percentageOfSourceShards", pointer(INTEGER)),
      targetIndexNameTemplate: pointer(TEXT),
    }),
    check(shrink, place) {
      const names = ["max_shard_size", "num_new_shards", "percentage_of_source_shards"]
        .filter((name) => Object.hasOwn(shrink as object, name));
      if (names.length === 1) return;
      place.refuse(
        "Expected one of 'maxShardSize', 'numNewShards' and 'percentageOfSourceShards', " +
          `found ${names.length === 0 ? "none" : names.length}`,
      );
    },
  },
  snapshot: object({ repository: required(TEXT), snapshot: required(TEXT) }),
  timeout: pointer(TEXT),
};

export const CRON: Field = object({
  cron: required(object(each("expression timezone", required(TEXT)))),
});

const CONDITIONS: Field = {
  ...object({
    cron: CRON,
    minDocCount: pointer(INTEGER),
    ...each("minIndexAge minRolloverAge minSize", pointer(TEXT)),
  }),
  keepsZero: false,
  check(conditions, place) {
    const names = Object.keys(conditions as object);
    if (names.length < 2) return;
    place.warn(`Clusters refuse more than one condition, found ${names.join(", ")}`);
  },
};

export const POLICY: Fields = {
  defaultState: required(TEXT),
  description: required(TEXT),
  errorNotification: {
    ...object({
      destination: object(each("slack amazon chime customWebhook", object({ url: TEXT }))),
      channel: { ...TEXT, then: (id) => ({ id }) },
      messageTemplate: object({ source: TEXT }),
    }),
    check(value, place) {
      const { destination, message_template } = value as Record<string, unknown>;
      if (destination === undefined || isEmpty(destination) || message_template === undefined) {
        place.warn(
          "The operator never sends it without 'destination' and 'messageTemplate': the file contains it",
        );
      } else if (Object.hasOwn(value as object, "channel")) {
        place.at("channel").warn("Clusters accept either 'destination' or 'channel'");
      }
    },
  },
  ismTemplate: {
    ...object({ indexPatterns: required(TEXTS), priority: INTEGER }),
    then: (template) => [template],
  },
  states: required(list({
    actions: {
      ...list(ACTION),
      keepsZero: true,
      check: (actions, place) =>
        listOf(actions).forEach((action, index) => oneAction(action, place.at(index))),
    },
    name: required(TEXT),
    transitions: list({ conditions: CONDITIONS, stateName: required(TEXT) }),
  })),
};

function oneAction(action: unknown, place: FieldPlace): void {
  if (!isObject(action)) return;
  const names = Object.keys(action).filter((name) => !BESIDE_ACTIONS.includes(name));
  if (names.length === 0) place.refuse("Expected an action, found none");
  if (names.length < 2) return;
  place.warn(
    `Of the actions ${names.join(", ")} the cluster keeps one: expected a separate item for each`,
  );
}

function unsent(message: string): Field {
  return { ...ANY, check: (_, place) => place.refuse(message) };
}
