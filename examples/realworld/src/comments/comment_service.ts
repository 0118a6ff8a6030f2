import { Autowired, Service } from "irori";
import { Transactional } from "irori/transactions";
import { ArticleService } from "../articles/article_service.ts";
import { forbidden, notFound } from "../errors/api_error.ts";
import type { Comment, NewComment } from "./comment.ts";
import { CommentRepository } from "./comment_repository.ts";

/** `user` and `viewer` are ids. All methods: @throws {ApiError} 404 */
@Service()
export class CommentService {
  @Autowired(ArticleService)
  private readonly articles!: ArticleService;
  @Autowired(CommentRepository)
  private readonly comments!: CommentRepository;

  async list(slug: string, viewer?: string): Promise<Comment[]> {
    await this.articles.get(slug);
    return await this.comments.list(slug, viewer);
  }

  @Transactional()
  async add(slug: string, { body }: NewComment, user: string): Promise<Comment> {
    const article_id = await this.articles.hold(slug);
    const id = await this.comments.insert({
      article_id,
      author_id: user,
      body,
    });
    return await this.comments.get(id, user);
  }

  /** @throws {ApiError} 403 for the comment of another user */
  @Transactional()
  async delete(slug: string, id: number, user: string): Promise<void> {
    const comment = await this.comments.find(await this.articles.hold(slug), id);
    if (!comment) throw notFound("comment");
    if (comment.author_id !== user) throw forbidden("comment");
    await this.comments.delete(id);
  }
}
