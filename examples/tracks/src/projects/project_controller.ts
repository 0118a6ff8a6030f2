import {
  Autowired,
  DeleteMapping,
  GetMapping,
  HttpStatus,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestMapping,
  ResponseEntity,
  RestController,
} from "irori";
import { Page, Pageable, pageOf } from "irori/paging";
import { Authenticated, PermitAll, RolesAllowed } from "irori/security";
import { ProjectExists, ProjectNotFound } from "../problems.ts";
import { NewProject, Project, projectKey, ProjectStatistics } from "./project.ts";
import { type ProjectField, ProjectRepository } from "./project_repository.ts";
import * as z from "zod";

@RestController()
@RequestMapping("/projects")
@RolesAllowed("admin")
export class ProjectController {
  @Autowired(ProjectRepository)
  private readonly projects!: ProjectRepository;

  @GetMapping(
    { returns: pageOf(Project) },
    Pageable({ sort: ["key", "name", "createdAt"] }),
  )
  @Authenticated()
  async list(page: Pageable<ProjectField>): Promise<Page<Project>> {
    const { rows, total } = await this.projects.findAll(page);
    return new Page(rows, page, total);
  }

  @GetMapping(
    { path: "/{key}", returns: Project, problems: [ProjectNotFound] },
    PathVariable("key", projectKey),
  )
  @Authenticated()
  async get(key: string): Promise<Project> {
    return found(await this.projects.find(key));
  }

  @GetMapping(
    {
      path: "/{key}/statistics",
      returns: ProjectStatistics,
      problems: [ProjectNotFound],
    },
    PathVariable("key", projectKey),
  )
  @PermitAll()
  async statistics(key: string): Promise<ProjectStatistics> {
    return found(await this.projects.statistics(key));
  }

  @PostMapping(
    { status: HttpStatus.CREATED, returns: Project, problems: [ProjectExists] },
    RequestBody(NewProject),
  )
  async create(project: NewProject): Promise<ResponseEntity<Project>> {
    const created = await this.projects.insert(project);
    if (!created) throw new ProjectExists({ key: project.key });
    return ResponseEntity.created(`/projects/${created.key}`).withJson(created);
  }

  @DeleteMapping(
    {
      path: "/{key}",
      status: HttpStatus.NO_CONTENT,
      returns: z.void(),
      problems: [ProjectNotFound],
    },
    PathVariable("key", projectKey),
  )
  async delete(key: string): Promise<void> {
    if (!await this.projects.delete(key)) throw new ProjectNotFound();
  }
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new ProjectNotFound();
  return value;
}
