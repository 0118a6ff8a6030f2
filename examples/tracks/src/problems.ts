import { HttpStatus, Problem } from "irori";
import * as z from "zod";

export class ProjectNotFound extends Problem({
  status: HttpStatus.NOT_FOUND,
  type: "/problems/project-not-found",
  title: "No such project",
}) {}

export class ProjectExists extends Problem({
  status: HttpStatus.CONFLICT,
  type: "/problems/project-exists",
  title: "There is such a project already",
  schema: z.object({ key: z.string() }),
}) {}

export class IssueNotFound extends Problem({
  status: HttpStatus.NOT_FOUND,
  type: "/problems/issue-not-found",
  title: "No such issue",
}) {}

export class IssueClosed extends Problem({
  status: HttpStatus.CONFLICT,
  type: "/problems/issue-closed",
  title: "The issue is closed",
}) {}

export class CommentNotFound extends Problem({
  status: HttpStatus.NOT_FOUND,
  type: "/problems/comment-not-found",
  title: "No such comment",
}) {}

export class AttachmentNotFound extends Problem({
  status: HttpStatus.NOT_FOUND,
  type: "/problems/attachment-not-found",
  title: "No such attachment",
}) {}
