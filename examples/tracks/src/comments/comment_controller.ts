import {
  Autowired,
  DeleteMapping,
  GetMapping,
  HttpStatus,
  PathVariable,
  PostMapping,
  RequestBody,
  RestController,
} from "irori";
import { Pageable, type Slice, sliceOf } from "irori/paging";
import { CurrentUser, PreAuthorize, type Principal, RolesAllowed } from "irori/security";
import { CommentNotFound, IssueClosed, IssueNotFound } from "../problems.ts";
import { owns } from "../roles.ts";
import { Comment, NewComment } from "./comment.ts";
import { CommentService } from "./comment_service.ts";
import * as z from "zod";

@RestController()
export class CommentController {
  @Autowired(CommentService)
  private readonly comments!: CommentService;

  @GetMapping(
    {
      path: "/issues/{id}/comments",
      returns: sliceOf(Comment),
      problems: [IssueNotFound],
    },
    PathVariable("id", "int"),
    Pageable(),
  )
  async list(id: number, page: Pageable): Promise<Slice<Comment>> {
    return await this.comments.findAll(id, page);
  }

  @PostMapping(
    {
      path: "/issues/{id}/comments",
      status: HttpStatus.CREATED,
      returns: Comment,
      problems: [IssueNotFound, IssueClosed],
    },
    PathVariable("id", "int"),
    RequestBody(NewComment),
    CurrentUser(),
  )
  @RolesAllowed("user", "admin")
  async add(
    id: number,
    comment: NewComment,
    user: Principal,
  ): Promise<Comment> {
    return await this.comments.add(id, comment, user);
  }

  @DeleteMapping(
    {
      path: "/comments/{id}",
      status: HttpStatus.NO_CONTENT,
      returns: z.void(),
      problems: [CommentNotFound],
    },
    PathVariable("id", "int"),
  )
  @PreAuthorize(
    async function (this: CommentController, user: Principal, id: number) {
      return owns(user, await this.comments.get(id));
    },
  )
  async delete(id: number): Promise<void> {
    await this.comments.delete(id);
  }
}
