import { profileOf, refused, register, type Step, step } from "./steps.ts";

const shown = (as: string | undefined, following: boolean): Step =>
  step("GET /profiles/carl", {
    as,
    status: 200,
    answer: { profile: profileOf("carl", following) },
  });

export const profiles: readonly Step[] = [
  register("carl"),
  register("dora"),
  shown(undefined, false),
  shown("dora", false),
  ...[1, 2].map(() =>
    step("POST /profiles/carl/follow", {
      as: "dora",
      status: 200,
      answer: { profile: profileOf("carl", true) },
    })
  ),
  shown("dora", true),
  shown("carl", false),
  shown(undefined, false),
  ...[1, 2].map(() =>
    step("DELETE /profiles/carl/follow", {
      as: "dora",
      status: 200,
      answer: { profile: profileOf("carl") },
    })
  ),
  shown("dora", false),

  refused("GET /profiles/unknown", 404, { profile: "not found" }),
  ...["POST", "DELETE"].flatMap((method) => [
    refused(`${method} /profiles/unknown/follow`, 401, { token: "is missing" }),
    refused(`${method} /profiles/carl/follow`, 401, { token: "is missing" }),
    refused(
      `${method} /profiles/unknown/follow`,
      404,
      { profile: "not found" },
      { as: "dora" },
    ),
  ]),
];
