import { Autowired, Service } from "irori";
import { type Pageable, Slice } from "irori/paging";
import type { Principal } from "irori/security";
import { Activity } from "../activity/activity.ts";
import { IssueService } from "../issues/issue_service.ts";
import { CommentNotFound, IssueClosed } from "../problems.ts";
import type { Comment, NewComment } from "./comment.ts";
import { CommentRepository } from "./comment_repository.ts";

@Service()
export class CommentService {
  @Autowired(CommentRepository)
  private readonly comments!: CommentRepository;
  @Autowired(IssueService)
  private readonly issues!: IssueService;
  @Autowired(Activity)
  private readonly activity!: Activity;

  /** @throws {IssueNotFound} */
  async findAll(issue: number, page: Pageable): Promise<Slice<Comment>> {
    await this.issues.get(issue);
    const rows = await this.comments.findAll(issue, page);
    return new Slice(rows.slice(0, page.size), page, rows.length > page.size);
  }

  /** @throws {CommentNotFound} */
  async get(id: number): Promise<Comment> {
    const comment = await this.comments.find(id);
    if (!comment) throw new CommentNotFound();
    return comment;
  }

  /** @throws {IssueNotFound | IssueClosed} */
  async add(
    issue: number,
    { text }: NewComment,
    { name }: Principal,
  ): Promise<Comment> {
    const { status } = await this.issues.get(issue);
    if (status === "closed") throw new IssueClosed();
    const comment = await this.comments.insert(issue, name, text);
    this.activity.publish({ type: "comment-added", issue, by: name });
    return comment;
  }

  async delete(id: number): Promise<void> {
    await this.comments.delete(id);
  }
}
