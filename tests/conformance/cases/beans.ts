import type { Case } from "../types.ts";

const NAMES = [["a", "b"], true, null];

export const beans: readonly Case[] = [
  {
    name: "fields, factories, profiles and what is optional",
    path: "/beans/wired",
    status: 200,
    json: [["main", "second", 5, true], NAMES, [["main", "second"], "open"]],
  },
  {
    name: "overrides",
    path: "/beans/overrides",
    status: 200,
    json: [["main", "other", 0, true], NAMES, [["main", "other"], "open"]],
  },
  {
    name: "are closed in reverse order, each in its way",
    path: "/beans/ends",
    status: 200,
    json: [
      ["first", "ended", "named", "disposed"],
      ["Cannot close the bean 'failing': Stuck"],
    ],
  },
  {
    name: "that cannot be built are reported, and those that were built are closed",
    path: "/beans/refused",
    status: 200,
    json: [
      'Cannot find a bean of type DevStore (needed by needy): DevStore has @Profile("dev"), and active are: none',
      "Cannot map 'Loose.get'",
      "Cannot build the bean 'broken': Locked",
      "No extension",
      ["store", "store"],
    ],
  },
];
