import {
  Autowired,
  DeleteMapping,
  GetMapping,
  HttpStatus,
  PathVariable,
  PostMapping,
  PutMapping,
  RequestBody,
  RequestParam,
  ResponseEntity,
  RestController,
} from "irori";
import { type Page, Pageable, pageOf } from "irori/paging";
import {
  Authenticated,
  CurrentUser,
  PreAuthorize,
  type Principal,
  RolesAllowed,
} from "irori/security";
import { IssueNotFound, ProjectNotFound } from "../problems.ts";
import { projectKey } from "../projects/project.ts";
import { Issue, IssueChange, type IssueStatus, issueStatus, NewIssue } from "./issue.ts";
import type { IssueField } from "./issue_repository.ts";
import { IssueService } from "./issue_service.ts";
import { ownIssue } from "./own_issue.ts";
import * as z from "zod";

@RestController()
@RolesAllowed("user", "admin")
export class IssueController {
  @Autowired(IssueService)
  readonly issues!: IssueService;

  @GetMapping(
    {
      path: "/projects/{key}/issues",
      returns: pageOf(Issue),
      problems: [ProjectNotFound],
    },
    PathVariable("key", projectKey),
    RequestParam("status", issueStatus.options, { required: false }),
    Pageable({
      sort: ["number", "title", "createdAt"],
      defaultSort: "number,desc",
    }),
  )
  @Authenticated()
  async list(
    key: string,
    status: IssueStatus | undefined,
    page: Pageable<IssueField>,
  ): Promise<Page<Issue>> {
    return await this.issues.findAll(key, status, page);
  }

  @PostMapping(
    {
      path: "/projects/{key}/issues",
      status: HttpStatus.CREATED,
      returns: Issue,
      problems: [ProjectNotFound],
    },
    PathVariable("key", projectKey),
    RequestBody(NewIssue),
    CurrentUser(),
  )
  async create(
    key: string,
    issue: NewIssue,
    user: Principal,
  ): Promise<ResponseEntity<Issue>> {
    const created = await this.issues.create(key, issue, user);
    return ResponseEntity.created(`/issues/${created.id}`).withJson(created);
  }

  @GetMapping(
    { path: "/issues/{id}", returns: Issue, problems: [IssueNotFound] },
    PathVariable("id", "int"),
  )
  @Authenticated()
  async get(id: number): Promise<Issue> {
    return await this.issues.get(id);
  }

  @PutMapping(
    { path: "/issues/{id}", returns: Issue, problems: [IssueNotFound] },
    PathVariable("id", "int"),
    RequestBody(IssueChange),
    CurrentUser(),
  )
  @PreAuthorize(ownIssue)
  async change(
    id: number,
    change: IssueChange,
    user: Principal,
  ): Promise<Issue> {
    return await this.issues.change(id, change, user);
  }

  @DeleteMapping(
    {
      path: "/issues/{id}",
      status: HttpStatus.NO_CONTENT,
      returns: z.void(),
      problems: [IssueNotFound],
    },
    PathVariable("id", "int"),
  )
  @RolesAllowed("admin")
  async delete(id: number): Promise<void> {
    await this.issues.delete(id);
  }
}
