import { Model } from "irori";
import * as z from "zod";
import { projectKey } from "../projects/project.ts";
import { line, longText } from "../texts.ts";

export const issueStatus = z.enum(["open", "closed"]);
export type IssueStatus = z.infer<typeof issueStatus>;

export class NewIssue extends Model(z.object({ title: line, description: longText.default("") })) {}

export class IssueChange extends Model(
  z.object({ title: line, description: longText, status: issueStatus }),
) {}

export class Issue extends Model(z.object({
  id: z.int(),
  project: projectKey,
  /** Within its project: TRA-7 is number 7 of TRA. */
  number: z.int(),
  title: line,
  description: longText,
  status: issueStatus,
  author: z.string(),
  createdAt: z.date(),
})) {}
