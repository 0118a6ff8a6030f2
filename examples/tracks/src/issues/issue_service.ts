import { Autowired, Service } from "irori";
import { MeterRegistry } from "irori/actuator";
import { Page, type Pageable } from "irori/paging";
import type { Principal } from "irori/security";
import { afterCommit, Transactional } from "irori/transactions";
import { Activity } from "../activity/activity.ts";
import { IssueNotFound, ProjectNotFound } from "../problems.ts";
import { ProjectRepository } from "../projects/project_repository.ts";
import type { Issue, IssueChange, IssueStatus, NewIssue } from "./issue.ts";
import { type IssueField, IssueRepository } from "./issue_repository.ts";

@Service()
export class IssueService {
  @Autowired(IssueRepository)
  private readonly issues!: IssueRepository;
  @Autowired(ProjectRepository)
  private readonly projects!: ProjectRepository;
  @Autowired(Activity)
  private readonly activity!: Activity;
  @Autowired(MeterRegistry)
  private readonly meters!: MeterRegistry;

  /** @throws {ProjectNotFound} */
  async findAll(
    project: string,
    status: IssueStatus | undefined,
    page: Pageable<IssueField>,
  ): Promise<Page<Issue>> {
    if (!await this.projects.find(project)) throw new ProjectNotFound();
    const { rows, total } = await this.issues.findAll(project, status, page);
    return new Page(rows, page, total);
  }

  /** @throws {IssueNotFound} */
  async get(id: number): Promise<Issue> {
    return found(await this.issues.find(id));
  }

  /**
   * Creates an issue with the next number of its project, which none has in vain: what fails gives it back.
   *
   * @throws {ProjectNotFound}
   */
  @Transactional()
  async create(
    project: string,
    { title, description }: NewIssue,
    { name: author }: Principal,
  ): Promise<Issue> {
    const number = await this.projects.nextNumber(project);
    if (number === undefined) throw new ProjectNotFound();
    const created = await this.issues.insert({ project, number, title, description, author });
    // A rolled back change is not counted, and sends no event.
    afterCommit(() => {
      this.meters.counter("issues.created", { project }).increment();
      this.activity.publish({ type: "issue-created", issue: created.id, by: author });
    });
    return created;
  }

  /** @throws {IssueNotFound} */
  async change(
    id: number,
    change: IssueChange,
    { name: by }: Principal,
  ): Promise<Issue> {
    const changed = found(await this.issues.update(id, change));
    this.activity.publish({ type: "issue-changed", issue: id, by });
    return changed;
  }

  /** @throws {IssueNotFound} */
  async delete(id: number): Promise<void> {
    if (!await this.issues.delete(id)) throw new IssueNotFound();
  }
}

function found(issue: Issue | undefined): Issue {
  if (!issue) throw new IssueNotFound();
  return issue;
}
