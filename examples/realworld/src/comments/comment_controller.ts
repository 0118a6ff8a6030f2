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
import { PermitAll } from "irori/security";
import { slug } from "../articles/article.ts";
import { type Caller, caller, viewer } from "../users/caller.ts";
import { Comment, NewComment } from "./comment.ts";
import { CommentService } from "./comment_service.ts";
import * as z from "zod";

const { CREATED, FORBIDDEN, NO_CONTENT, NOT_FOUND } = HttpStatus;
const COMMENTS = "/articles/{slug}/comments";
/** The ids that the column can hold. */
const commentId = z.coerce.number("is invalid").int("is invalid").min(1).max(2 ** 31 - 1);

@RestController()
export class CommentController {
  @Autowired(CommentService)
  private readonly comments!: CommentService;

  @GetMapping(
    {
      path: COMMENTS,
      returns: z.object({ comments: z.array(Comment) }),
      problems: [NOT_FOUND],
    },
    slug,
    viewer,
  )
  @PermitAll()
  async list(slug: string, viewer?: Caller) {
    return { comments: await this.comments.list(slug, viewer?.id) };
  }

  @PostMapping(
    {
      path: COMMENTS,
      status: CREATED,
      returns: z.object({ comment: Comment }),
      problems: [NOT_FOUND],
    },
    slug,
    RequestBody(z.object({ comment: NewComment })),
    caller,
  )
  async add(slug: string, { comment }: { comment: NewComment }, { id }: Caller) {
    return { comment: await this.comments.add(slug, comment, id) };
  }

  @DeleteMapping(
    {
      path: `${COMMENTS}/{id}`,
      status: NO_CONTENT,
      returns: z.void(),
      problems: [FORBIDDEN, NOT_FOUND],
    },
    slug,
    PathVariable("id", commentId),
    caller,
  )
  async delete(slug: string, id: number, user: Caller): Promise<void> {
    await this.comments.delete(slug, id, user.id);
  }
}
