import { Model } from "irori";
import * as z from "zod";
import { line } from "../texts.ts";

export const projectKey = z.string().regex(/^[A-Z]{2,8}$/);

export class NewProject extends Model(z.object({ key: projectKey, name: line })) {}

export class Project extends Model(
  z.object({ key: projectKey, name: line, createdAt: z.date() }),
) {}

/** For everybody. */
export class ProjectStatistics extends Model(z.object({ open: z.int(), closed: z.int() })) {}
