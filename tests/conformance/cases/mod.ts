import type { Case } from "../types.ts";
import { answers } from "./answers.ts";
import { beans } from "./beans.ts";
import { binding } from "./binding.ts";
import { bodies } from "./bodies.ts";
import { errors } from "./errors.ts";
import { methods } from "./methods.ts";
import { middleware } from "./middleware.ts";
import { returns } from "./returns.ts";
import { routing } from "./routing.ts";
import { security } from "./security.ts";
import { uploads } from "./uploads.ts";

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
  beans,
  security,
}).flatMap(([group, cases]) => cases.map((one) => ({ ...one, name: `${group}: ${one.name}` })));
