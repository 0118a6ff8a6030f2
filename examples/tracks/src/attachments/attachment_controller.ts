import {
  Autowired,
  GetMapping,
  HttpStatus,
  PathVariable,
  PostMapping,
  RestController,
} from "irori";
import { fileResponse } from "irori/files";
import { MultipartStream, type Part } from "irori/multipart";
import { CurrentUser, PreAuthorize, type Principal, RolesAllowed } from "irori/security";
import { IssueService } from "../issues/issue_service.ts";
import { ownIssue } from "../issues/own_issue.ts";
import { AttachmentNotFound, IssueNotFound } from "../problems.ts";
import { Attachment } from "./attachment.ts";
import { AttachmentRepository } from "./attachment_repository.ts";
import * as z from "zod";

const MEGABYTE = 2 ** 20;
const BYTES = "application/octet-stream";

@RestController()
export class AttachmentController {
  @Autowired(AttachmentRepository)
  private readonly attachments!: AttachmentRepository;
  @Autowired(IssueService)
  readonly issues!: IssueService;

  @GetMapping(
    {
      path: "/issues/{id}/attachments",
      returns: z.array(Attachment),
      problems: [IssueNotFound],
    },
    PathVariable("id", "int"),
  )
  async list(id: number): Promise<Attachment[]> {
    await this.issues.get(id);
    return await this.attachments.findAll(id);
  }

  @PostMapping(
    {
      path: "/issues/{id}/attachments",
      status: HttpStatus.CREATED,
      maxBodySize: 100 * MEGABYTE,
      returns: z.array(Attachment),
      problems: [IssueNotFound],
    },
    PathVariable("id", "int"),
    MultipartStream({ maxPartSize: 20 * MEGABYTE }),
    CurrentUser(),
  )
  @RolesAllowed("user", "admin")
  @PreAuthorize(ownIssue)
  async upload(
    id: number,
    parts: AsyncIterable<Part>,
    user: Principal,
  ): Promise<Attachment[]> {
    const kept: Attachment[] = [];
    for await (const { filename: name, body } of parts) {
      if (!name) continue;
      kept.push(
        await this.attachments.insert(
          { issue: id, name, author: user.name },
          body,
        ),
      );
    }
    return kept;
  }

  @GetMapping(
    {
      path: "/attachments/{id}",
      produces: BYTES,
      problems: [AttachmentNotFound],
    },
    PathVariable("id", "uuid"),
  )
  async download(id: string) {
    const attachment = await this.attachments.find(id);
    if (!attachment) throw new AttachmentNotFound();
    // To be saved, not displayed: an uploaded page would run with the origin of this application.
    const { name } = attachment;
    return fileResponse(this.attachments.content(id), { name, type: BYTES, etag: id });
  }
}
