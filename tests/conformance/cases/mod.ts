import type { Case } from "../types.ts";
import { answers } from "./answers.ts";
import { beans } from "./beans.ts";
import { binding } from "./binding.ts";
import { bodies } from "./bodies.ts";
import { conditional } from "./conditional.ts";
import { errors } from "./errors.ts";
import { methods } from "./methods.ts";
import { middleware } from "./middleware.ts";
import { paging } from "./paging.ts";
import { returns } from "./returns.ts";
import { routing } from "./routing.ts";
import { security } from "./security.ts";
import { uploads } from "./uploads.ts";
import { versions } from "./versions.ts";

/** The whole suite; names are unique. */
export const cases: readonly Case[] = Object.entries({
  routing,
  methods,
  binding,
  bodies,
  answers,
  middleware,
  errors,
  uploads,
  returns,
  security,
  paging,
  beans,
  versions,
  conditional,
}).flatMap(([group, cases]) => cases.map((one) => ({ ...one, name: `${group}: ${one.name}` })));
